#!/usr/bin/env python3
"""A management service over HTTP for tests: serves a service folder on the loopback interface.

Usage: policy_service.py FOLDER [--certificate FILE] [--log FILE]

Chooses a free port and prints `listening on http://127.0.0.1:PORT/beta`; runs until its standard input ends. Each request
reads FOLDER again: users.json, assignments.json, wipes.json, faults.json, policies/ and configurations/, as the page
"Run a service from a folder" of PolicyServices describes. Registrations live in memory. With --certificate, a PEM file
with a key and a certificate, it speaks https. Only the standard library of Python 3.
"""
import argparse
import http.server
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse
import uuid

CODES = {200: "accountNotLicensed", 207: "nilAccount"}
PAGE_LENGTH = 2


class Refusal(Exception):
    def __init__(self, status, code, message, headers=()):
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, dict(headers)


class Folder:
    """The folder at one moment. A mistake in it is an error of the server (500), never an empty list."""

    def __init__(self, path):
        self.path = path
        users = self.read("users.json")
        self.users = users["users"]
        self.assignments = self.read("assignments.json")["assignments"]
        self.wipes = self.read("wipes.json", {"wipes": []})["wipes"]
        self.faults = self.read("faults.json", {"faults": []})["faults"]

    def read(self, name, default=None):
        path = os.path.join(self.path, name)
        if default is not None and not os.path.exists(path):
            return default
        with open(path, "rb") as file:
            return json.loads(file.read())

    def user(self, name):
        for user in self.users:
            if is_user(name, user):
                return user
        raise Refusal(404, "Request_ResourceNotFound", "the directory has no such user")

    def documents(self, user):
        """What targets a user, in the order of the documents' names."""
        groups = set(user.get("groups") or [])
        names = set()
        for entry in self.assignments:
            if groups & set(entry.get("excludedGroups") or []):
                continue
            named = any(is_user(name, user) for name in entry.get("users") or [])
            if entry.get("everyone") or groups & set(entry.get("groups") or []) or named:
                names.add(entry["document"])
        return [entity for name in sorted(names) for entity in self.entities(self.read(name))]

    def entities(self, document):
        """The objects of an export: one, a list, or either under `value`."""
        if isinstance(document, list):
            return [entity for entry in document for entity in self.entities(entry)]
        if "@odata.type" not in document and isinstance(document.get("value"), (dict, list)):
            return self.entities(document["value"])
        if "@odata.type" not in document:
            kind = "targetedManagedAppConfiguration" if "customSettings" in document else "iosManagedAppProtection"
            document = {"@odata.type": "#microsoft.graph." + kind, **document}
        return [document]


def is_user(name, user):
    return name.lower() in (user.get("id", "").lower(), user.get("userPrincipalName", "").lower())


def user_id(user):
    """The object id; users without one get an id that is made of their name."""
    return user.get("id") or str(uuid.uuid5(uuid.NAMESPACE_URL, user["userPrincipalName"].lower()))


class Service:
    def __init__(self, folder, log):
        self.folder, self.log = folder, log
        self.lock = threading.Lock()
        self.registrations = {}
        self.faults_shown = {}
        self.port = 0

    def note(self, line):
        if self.log:
            with self.lock:
                self.log.write(line + "\n")
                self.log.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "policy-service"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.serve()

    do_POST = do_PATCH = do_DELETE = do_GET

    @property
    def service(self):
        return self.server.service

    def serve(self):
        # Another page of a list is the same request as its first.
        self.service.note(f"{self.command} {self.path.split('?')[0]} {self.headers.get('client-request-id', '-')}")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            folder = Folder(self.service.folder)
            if not re.fullmatch(r"Bearer \S+", self.headers.get("Authorization", "")):
                raise Refusal(401, "InvalidAuthenticationToken", "the request has no token")
            if self.headers["Authorization"] == "Bearer expired":
                raise Refusal(401, "InvalidAuthenticationToken", "the token is too old")
            if not self.misbehave(folder):
                self.answer(*self.route(folder, json.loads(body) if body else {}))
        except Refusal as refusal:
            error = {"error": {"code": refusal.code, "message": refusal.message}}
            self.answer(refusal.status, error, refusal.headers)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            self.answer(500, {"error": {"code": "serverError", "message": f"the folder cannot be read: {error!r}"}})

    def answer(self, status, value, headers=()):
        data = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in dict(headers).items():
            self.send_header(name, text)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    # The resources

    def route(self, folder, body):
        address = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(address.query)
        parts = [urllib.parse.unquote(part) for part in address.path.split("/")[2:]]
        match self.command, parts:
            case "GET", ["users", name]:
                user = folder.user(name)
                fields = {"id": user_id(user), "userPrincipalName": user.get("userPrincipalName")}
                return 200, {**fields, "accountEnabled": user.get("accountEnabled", True)}
            case "POST", ["users", name, "wipeManagedAppRegistrationsByDeviceTag"]:
                return self.order_wipe(user_id(folder.user(name)), body["deviceTag"])
            case "GET", ["deviceAppManagement", "managedAppRegistrations"]:
                wanted = re.fullmatch(r"userId eq '([^']*)'", query["$filter"][0]).group(1)
                found = [entry for entry in self.entries() if entry["userId"] == wanted]
                return self.page([self.shown(entry) for entry in found], query)
            case "POST", ["deviceAppManagement", "managedAppRegistrations"]:
                return self.register(folder, body)
            case "PATCH", ["deviceAppManagement", "managedAppRegistrations", name]:
                entry = self.entry(name)
                entry["fields"].update(body)
                # What it had at its last check-in is what it was given then.
                entry["appliedPolicies"] = entry["given"]
                return 200, self.shown(entry)
            case "DELETE", ["deviceAppManagement", "managedAppRegistrations", name]:
                self.entry(name)
                with self.service.lock:
                    self.service.registrations.pop(name, None)
                return 204, None
            case "GET", ["deviceAppManagement", "managedAppRegistrations", name]:
                return 200, self.shown(self.entry(name))
            case "PATCH", ["deviceAppManagement", "managedAppRegistrations", name, "operations", "device"]:
                self.entry(name)["wipe"] = body["state"]
                return 200, {}
            case "PATCH", ["deviceAppManagement", "managedAppRegistrations", name, "operations", "user"]:
                # Ordered for a user in wipes.json, it repeats until the administrator ends it there.
                return 200, {}
            case "GET", ["deviceAppManagement", "managedAppRegistrations", name, "operations"]:
                return self.page(self.operations(folder, self.entry(name)), query)
            case "GET", ["deviceAppManagement", "managedAppRegistrations", name, "intendedPolicies"]:
                entry = self.entry(name)
                entry["given"] = folder.documents(folder.user(entry["userId"]) if self.knows(folder, entry) else {})
                return self.page(entry["given"], query)
            case "GET", ["deviceAppManagement", "managedAppRegistrations", name, "appliedPolicies"]:
                return self.page(self.entry(name)["appliedPolicies"], query)
        raise Refusal(404, "ResourceNotFound", "this server has no such resource")

    def knows(self, folder, entry):
        """Whether the directory has the user of a registration; one without an object id is found by its made one."""
        for user in folder.users:
            if user_id(user) == entry["userId"]:
                user.setdefault("id", entry["userId"])
                return True
        return False

    def entries(self):
        with self.service.lock:
            return sorted(self.service.registrations.values(), key=lambda entry: entry["id"])

    def entry(self, name):
        with self.service.lock:
            if name not in self.service.registrations:
                raise Refusal(404, "ResourceNotFound", "there is no such registration")
            return self.service.registrations[name]

    @staticmethod
    def shown(entry):
        return {**entry["fields"], "id": entry["id"], "userId": entry["userId"]}

    def register(self, folder, body):
        user = next(user for user in folder.users if user_id(user) == body["userId"])
        if not user.get("isLicensed", True):
            raise Refusal(403, CODES[200], "the user has no license")
        with self.service.lock:
            name = f"T_{uuid.uuid4()}"
            entry = {"id": name, "userId": body["userId"], "fields": body, "given": [], "appliedPolicies": []}
            self.service.registrations[name] = {**entry, "wipe": None}
        return 201, self.shown(entry)

    def order_wipe(self, user, tag):
        for entry in self.entries():
            if entry["userId"] == user and entry["fields"].get("deviceTag") == tag:
                entry["wipe"] = "pending"
        return 204, None

    def operations(self, folder, entry):
        user = next((user for user in folder.users if user_id(user) == entry["userId"]), {})
        ordered = any(
            is_user(wipe["user"], user) and wipe.get("status", "pending") in ("pending", "active") for wipe in folder.wipes)
        kind = {"@odata.type": "#microsoft.graph.managedAppOperation"}
        operations = [{**kind, "id": "1", "displayName": "restart", "state": "done"}]
        if ordered:
            operations.append({**kind, "id": "user", "displayName": "wipe", "state": "pending"})
        if entry["wipe"]:
            operations.append({**kind, "id": "device", "displayName": "wipe", "state": entry["wipe"]})
        return operations

    def page(self, entities, query):
        """Two entries a page, so that every longer list is read through its links."""
        start = int(query.get("$skiptoken", ["0"])[0])
        page = {"value": entities[start:start + PAGE_LENGTH]}
        if start + PAGE_LENGTH < len(entities):
            query = {**{name: values[0] for name, values in query.items()}, "$skiptoken": start + PAGE_LENGTH}
            link = f"{self.path.split('?')[0]}?{urllib.parse.urlencode(query)}"
            page["@odata.nextLink"] = f"{self.service.scheme}://127.0.0.1:{self.service.port}{link}"
        return 200, page

    # The faults

    def misbehave(self, folder):
        """Shows the faults that concern this request; whether one of them took the place of the answer."""
        operation = self.headers.get("x-client-operation", "")
        name = self.subject()
        for index, fault in enumerate(folder.faults):
            if fault.get("requests") and operation not in fault["requests"]:
                continue
            if fault.get("users") and not any(self.concerns(folder, user, name) for user in fault["users"]):
                continue
            if fault.get("times") is not None:
                with self.service.lock:
                    key = (index, json.dumps(fault, sort_keys=True))
                    self.service.faults_shown[key] = self.service.faults_shown.get(key, 0) + 1
                    if self.service.faults_shown[key] > fault["times"]:
                        continue
            if self.show(fault):
                return True
        return False

    def subject(self):
        """The user's id or name, or the registration's, in the address; the user of a list."""
        address = urllib.parse.urlsplit(self.path)
        parts = [urllib.parse.unquote(part) for part in address.path.split("/")[2:]]
        if parts[:1] == ["users"]:
            return parts[1]
        if len(parts) > 2:
            entry = self.service.registrations.get(parts[2])
            return entry["userId"] if entry else ""
        return urllib.parse.unquote(address.query).split("'")[1] if "'" in urllib.parse.unquote(address.query) else ""

    def concerns(self, folder, user, name):
        found = next((entry for entry in folder.users if is_user(user, entry)), None)
        return found is not None and name.lower() in (user_id(found).lower(), found.get("userPrincipalName", "").lower())

    def show(self, fault):
        match fault["fault"]:
            case "slow":
                time.sleep(fault["milliseconds"] / 1000)
                return False
            case "offline":
                self.close()
            case "code":
                raise Refusal(403, str(fault["code"]), "switched on in faults.json")
            case "gone":
                raise Refusal(410, "Gone", "switched on in faults.json")
            case "conditionalAccess":
                challenge = 'Bearer realm="", error="insufficient_claims", claims="e30="'
                raise Refusal(403, "Forbidden", "conditional access", {"WWW-Authenticate": challenge})
            case "status":
                raise Refusal(fault["status"], "switchedOn", "switched on in faults.json")
            case "tooManyRequests":
                raise Refusal(429, "TooManyRequests", "too many", {"Retry-After": str(fault["retryAfterSeconds"])})
            case "redirect":
                raise Refusal(302, "Found", "elsewhere", {"Location": "https://elsewhere.invalid/beta"})
            case "wrongJSON":
                self.start(b'{"value": [ {', len(b'{"value": [ {'))
            case "cut":
                self.start(b'{"value": [', 4096)
                self.close()
            case "hugeBody":
                self.start(b"", 1 << 40)
                self.flood(1 << 24)
            case "endlessBody":
                self.start(b"", None)
                self.flood(1 << 40)
            case "drip":
                self.start(b"", None)
                self.flood(1 << 16, b" ", 0.2)
            case name:
                raise Refusal(500, "serverError", f"faults.json: {name} is not a fault")
        return True

    def start(self, data, length):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if length is not None:
            self.send_header("Content-Length", str(length))
        else:
            self.close_connection = True
        self.end_headers()
        self.wfile.write(data)

    def flood(self, length, block=b" " * 65536, pause=0):
        try:
            for _ in range(length // len(block)):
                self.wfile.write(block)
                time.sleep(pause)
        except OSError:
            pass
        self.close_connection = True

    def close(self):
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(2)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that hangs up is no trouble of the server."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--certificate")
    parser.add_argument("--log")
    options = parser.parse_args()
    server = Server(("127.0.0.1", 0), Handler)
    server.service = Service(options.folder, open(options.log, "a") if options.log else None)
    server.service.port = server.server_address[1]
    server.service.scheme = "https" if options.certificate else "http"
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"listening on {server.service.scheme}://127.0.0.1:{server.service.port}/beta", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
