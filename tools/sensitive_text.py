"""Finds secrets in texts, for journal_payloads.py: by the names of values, and in links. The page SensitiveText.md says how."""

import re

PLACEHOLDER = "(secret)"
MAXIMUM_DEPTH = 4  # How often links within links are decoded.
NAME_PARTS = (
    "password", "passwd", "passphrase", "passcode", "secret", "credential", "token", "apikey", "accesskey", "privatekey",
    "sharedkey", "licensekey", "activationkey", "encryptionkey", "signingkey")
NAME_WORDS = {"pass", "pwd", "pin", "psk", "otp"}
LINK_NAMES = {
    "auth", "authcode", "authorization", "authorizationcode", "code", "codeverifier", "cookie", "devicecode", "hmac", "jwt",
    "otc", "samlresponse", "sas", "session", "sessionid", "ticket", "usercode", "verificationcode", "wresult"}
LINK_ENDINGS = ("key", "sig", "signature", "assertion")
NAMING_MEMBERS = {"name", "key", "appconfigkey"}


def names_secret(name):
    """Whether a name is that of a secret, as clientSecret, Server.password and api_key are."""
    words, ends_in_lower_case = [""], False
    for character in name.replace(PLACEHOLDER, ""):
        is_letter = character.isalpha()
        if not is_letter or ends_in_lower_case and character.isupper():
            words.append("")
        if is_letter:
            words[-1] += character
        ends_in_lower_case = character.islower()
    words = [word.lower() for word in words]
    return not NAME_WORDS.isdisjoint(words) or any(part in "".join(words) for part in NAME_PARTS)


def is_secret(text, name):
    """Whether a text is a secret: by its name, or as JSON in which a member or a pair of name and value has such a name."""
    if text.lower() in ("", "null", "true", "false"):
        return False
    if names_secret(name):
        return True
    if text[0] not in "{[":
        return False
    member = ""
    for found in re.finditer(r'"((?:[^"\\]|\\.)*)("|$)([ \t\r\n]*:)?', text, re.DOTALL):
        if (found[3] or member.lower() in NAMING_MEMBERS) and names_secret(found[1]):
            return True
        member = found[1] if found[3] else ""
    return False


def without_secrets(value):
    """A text, or a value of JSON, with (secret) in place of each secret in its links and query strings."""
    if isinstance(value, str):
        return in_text(value.encode(), 0).decode()
    if isinstance(value, list):
        return [without_secrets(one) for one in value]
    if isinstance(value, dict):
        return {without_secrets(name): without_secrets(one) for name, one in value.items()}
    return value


def in_text(text, depth):
    """A text whose words, between spaces, control characters, quotation marks, < and >, may be links or query strings."""
    words = re.split(rb'([\x00-\x20\x7f"<>])', text)
    return b"".join(one if place % 2 else in_word(one, len(words) == 1, depth) for place, one in enumerate(words))


def in_word(word, is_all, depth):
    word = without_passwords(word)
    start = query_start(word, is_all)
    if start is None:
        return in_plain(word, depth)
    parameters = re.split(rb"([?&;#])", word[start:])
    return in_plain(word[:start], depth) + b"".join(
        one if place % 2 else in_parameter(one, depth) for place, one in enumerate(parameters))


def query_start(word, is_all):
    """Where the parameters of a word begin; None if it has none."""
    if b"=" not in word and b"%" not in word:
        return None
    is_link = b"//" in word
    sign = re.search(rb"[?#;]" if is_link else rb"[?#]", word)
    first = sign and sign.start()
    head = word[:first]
    return 0 if not is_link and b"=" in head and (is_all or b"&" in head) else first


def without_passwords(word):
    """A word without the passwords between //user: and @host."""
    kept, rest = b"", word
    while (slashes := rest.find(b"//")) >= 0:
        kept, rest = kept + rest[:slashes + 2], rest[slashes + 2:]
        authority = re.match(rb"[^/?#]*", rest)[0]
        at = authority.rfind(b"@")
        colon = authority.find(b":", 0, max(at, 0))
        if colon >= 0 and can_be_secret(rest[colon + 1:at]):
            kept, rest = kept + rest[:colon + 1] + PLACEHOLDER.encode(), rest[at:]
    return kept + rest


def in_parameter(parameter, depth):
    kept, rest = b"", parameter
    while (sign := rest.find(b"=")) >= 0:
        name, value = rest[:sign], rest[sign + 1:]
        kept += rest[:sign + 1]
        if names_secret_in_link(name) and can_be_secret(value):
            return kept + PLACEHOLDER.encode()
        rest = value
    return kept + in_plain(rest, depth)


def in_plain(part, depth):
    """What is not a parameter, unless it is encoded and has a secret in it then, or is encoded too often to look into it."""
    decoded = percent_decoded(part)
    if decoded == part or depth < MAXIMUM_DEPTH and in_text(decoded, depth + 1) == decoded:
        return part
    return PLACEHOLDER.encode()


def percent_decoded(text):
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found[1], 16)]), text)


def can_be_secret(value):
    return value.lower() not in (b"", b"true", b"false", b"null", PLACEHOLDER.encode())


def names_secret_in_link(written):
    name = written
    for _ in range(MAXIMUM_DEPTH):
        name = percent_decoded(name)
    last = name.rpartition(b"/")[2].decode("utf-8", "replace")
    letters = "".join(filter(str.isalpha, last.lower()))
    return letters in LINK_NAMES or letters.endswith(LINK_ENDINGS) or names_secret(last)
