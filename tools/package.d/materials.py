#!/usr/bin/env python3
"""Prints the bill of materials of pj in SPDX 2.3, and copies the licenses of what is linked into it.

Usage: materials.py VERSION PROGRAM MAP LOADING FOLDER
  VERSION  of pj
  PROGRAM  the pj with all libraries in it
  MAP      what the linker wrote of it: the archives whose members are in it
  LOADING  the pj that loads the system's libraries
  FOLDER   where the licenses go

SOURCE_DATE_EPOCH in the environment is the document's time. A library whose license is not listed here ends in an error.
"""

import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

# The licenses of Debian's packages, as their files `copyright` state them for the parts that are linked.
LICENSES = {
    "libarchive-dev": "BSD-2-Clause",
    "libbz2-dev": "bzip2-1.0.6",
    "libc6-dev": "LGPL-2.1-or-later",
    "libgcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc-s": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "liblzma-dev": "LicenseRef-public-domain",
    "libssl-dev": "Apache-2.0",
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libzstd-dev": "BSD-3-Clause OR GPL-2.0-only",
    "nettle-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "zlib1g-dev": "Zlib",
    "libarchive13": "BSD-2-Clause",
    "libc6": "LGPL-2.1-or-later",
    "libssl3": "Apache-2.0",
    "zlib1g": "Zlib",
}
SWIFT_LICENSE = "Apache-2.0 WITH Swift-exception"


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def license_of(package):
    # The compiler's version is a part of some names.
    for name in (package, re.sub(r"-?\d+(-dev)?$", "", package)):
        if name in LICENSES:
            return LICENSES[name]
    sys.exit(f"tools/package: {package} is linked, and its license is not listed in tools/package.d/materials.py")


def package_of(path):
    """The Debian package that a file belongs to; None for one of the toolchain."""
    for name in (os.path.realpath(path), path, path.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "--search", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return None


def packages_of(paths, toolchain):
    """Debian's packages that files belong to. Whatever belongs to none is a part of the toolchain or of pj."""
    packages = set()
    for path in paths:
        package = package_of(path)
        if package:
            packages.add(package)
        elif not os.path.realpath(path).startswith(toolchain) and not path.startswith("linux-vdso"):
            sys.exit(f"tools/package: {path} is linked, and belongs to no package")
    return sorted(packages)


def described(package):
    version, source = output("dpkg-query", "--show", "--showformat=${Version} ${source:Package}", package).split()
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]", "-", package),
        "name": package,
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": license_of(package),
        "licenseDeclared": license_of(package),
        "copyrightText": "NOASSERTION",
        "externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{package.replace('+', '%2B')}@{version.replace('+', '%2B').replace(':', '%3A')}",
        }],
        "comment": f"built from Debian's source package {source}",
    }


def main(version, program, link_map, loading, folder):
    toolchain = os.path.realpath(os.path.join(os.path.dirname(shutil.which("swift")), "../.."))
    with open(link_map, encoding="utf-8", errors="replace") as lines:
        linked = {match[1] for line in lines if (match := re.match(r"\s*(/\S+?\.a)\(", line))}
    static = packages_of(sorted(linked), toolchain)
    # What it asks for itself, and not what those libraries load.
    needed = re.findall(r"NEEDED.*\[(\S+)\]", output("readelf", "--dynamic", loading))
    places = dict(re.findall(r"(\S+) => (/\S+)", output("ldd", loading)))
    loaded = packages_of([places[name] for name in needed if name in places], toolchain)

    os.makedirs(folder, exist_ok=True)
    for package in static:
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", f"{folder}/{package}")
    shutil.copyfile(f"{toolchain}/usr/share/swift/LICENSE.txt", f"{folder}/swift")
    common = {word for package in static
              for word in re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", open(f"{folder}/{package}").read())}
    for name in sorted(common):
        if os.path.exists(path := f"/usr/share/common-licenses/{name}"):
            shutil.copyfile(path, f"{folder}/{name}")

    with open(program, "rb") as file:
        checksum = hashlib.sha256(file.read()).hexdigest()
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    own = {
        "name": "pj", "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "Copyright (c) 2026 The PolicyJournal authors",
    }
    packages = [
        own | {
            "SPDXID": "SPDXRef-pj-archive", "comment": "bin/pj of the archive, with all libraries in it",
            "checksums": [{"algorithm": "SHA256", "checksumValue": checksum}],
        },
        own | {"SPDXID": "SPDXRef-pj-package", "comment": "usr/bin/pj of the Debian package, which loads the system's libraries"},
        {
            "SPDXID": "SPDXRef-swift", "name": "swift", "versionInfo": swift, "supplier": "Organization: Swift.org",
            "downloadLocation": f"https://download.swift.org/swift-{swift}-release/", "filesAnalyzed": False,
            "licenseConcluded": SWIFT_LICENSE, "licenseDeclared": SWIFT_LICENSE, "copyrightText": "NOASSERTION",
            "comment": "the toolchain, and its libraries in the programs",
        },
    ] + [described(package) for package in sorted({*static, *loaded})]
    identifiers = {package["name"]: package["SPDXID"] for package in packages}

    def relation(kind, other, *owners):
        return [{"spdxElementId": owner, "relationshipType": kind, "relatedSpdxElement": other} for owner in owners]

    both = ("SPDXRef-pj-archive", "SPDXRef-pj-package")
    relations = [related for one in both for related in relation("DESCRIBES", one, "SPDXRef-DOCUMENT")]
    relations += relation("STATIC_LINK", "SPDXRef-swift", *both)
    relations += [{"spdxElementId": "SPDXRef-swift", "relationshipType": "BUILD_TOOL_OF", "relatedSpdxElement": one} for one in both]
    for package in static:
        relations += relation("STATIC_LINK", identifiers[package], both[0])
    for package in loaded:
        relations += relation("DYNAMIC_LINK", identifiers[package], both[1])
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"pj-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/pj-{version}-{checksum}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: tools/package"]},
        "hasExtractedLicensingInfos": [{
            "licenseId": "LicenseRef-public-domain", "name": "public domain",
            "extractedText": "liblzma is in the public domain; see licenses/liblzma-dev.",
        }],
        "packages": packages, "relationships": relations,
    }
    json.dump(document, sys.stdout, indent=2, sort_keys=True)
    print()


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
