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
    shown, place = b"", 0
    while True:
        found = re.compile(rb'[\x00-\x20\x7f"<>]').search(text, place)
        end = found.start() if found else len(text)
        word, quote = in_word(text[place:end], end - place == len(text), depth)
        shown, place = shown + word, end
        if quote == b"'":
            place = min(end_of_quotes(text, place, quote) + 1, len(text))
        elif quote and text[place:place + 1] == quote:
            place = end_of_quotes(text, end + 1, quote)
            inside = text[end + 1:place]
            shown += quote + (PLACEHOLDER.encode() if can_be_secret(inside) else inside)
        if place == len(text):
            return shown
        shown, place = shown + text[place:place + 1], place + 1


def end_of_quotes(text, start, quote):
    return re.compile(rb"(?:\\.|[^\\" + quote + rb"])*\\?", re.DOTALL).match(text, start).end()


def in_word(word, is_all, depth):
    """A word as it is shown, and the mark that ends the secret with which it ends."""
    word = without_passwords(word)
    if b"=" not in word and b"%" not in word:
        return word, None
    start, place, shown, quote = query_start(word, is_all), 0, b"", None
    if start > 0:
        shown, place, quote = in_parameter(word, 0, start, False, depth)
    while place < len(word):
        if word[place] in b"?&;#":
            shown, place = shown + word[place:place + 1], place + 1
        sign = re.compile(rb"[?&;#]").search(word, place)
        one, place, quote = in_parameter(word, place, sign.start() if sign else len(word), True, depth)
        shown += one
    return shown, quote


def query_start(word, is_all):
    """Where the names of parameters begin in a word: at its end, if it has none."""
    slashes = position(rb"//", word)
    if is_all or slashes < position(rb"=", word):
        return 0
    sign = position(rb"[?#]", word)
    parameters = word[:sign] if b"://" in word[:sign] else word
    return 0 if re.search(rb"&|;[^=&;#]+=[^=&;#]", parameters) else min(sign, slashes)


def position(pattern, word):
    found = re.search(pattern, word)
    return found.start() if found else len(word)


def without_passwords(word):
    """A word without the passwords between //user: and @host."""
    kept, rest = b"", word
    while (slashes := rest.find(b"//")) >= 0:
        kept, rest = kept + rest[:slashes + 2], rest[slashes + 2:]
        authority = re.match(rb"[^/?#]*", rest)[0]
        # A password may have a sign that ends it elsewhere: what follows a host's colon is a number.
        if b"@" not in authority and not re.match(rb"\[|[^:]*$|[^:]*:[0-9]*$", authority):
            authority = rest[:rest.rfind(b"@") + 1] or authority
        at = authority.rfind(b"@")
        colon = authority.find(b":", 0, max(at, 0))
        if colon >= 0 and can_be_secret(rest[colon + 1:at]):
            kept, rest = kept + rest[:colon + 1] + PLACEHOLDER.encode(), rest[at:]
    return kept + rest


def in_parameter(word, start, end, is_query, depth):
    """A parameter as it is shown, where it ends, and the mark that ends the secret with which the word ends."""
    kept, rest = b"", start
    while (sign := word.find(b"=", rest, end)) >= 0:
        name, value = word[rest:sign], sign + 1
        kept, rest = kept + word[rest:value], value
        if not names_secret_in_link(name, is_query):
            continue
        if value == len(word):
            return kept, value, b'"'
        inside = position(rb"'", word[value + 1:]) + 1 if word[value:value + 1] == b"'" else 0
        # A separator that no parameter follows belongs to the secret.
        length = inside + position(rb"[&;#][^=&;#]+=[^=&;#]", word[value + inside:])
        secret = word[value:value + length]
        if can_be_secret(secret):
            is_open = value + length == len(word) and secret[:1] == b"'" and b"'" not in secret[1:]
            return kept + PLACEHOLDER.encode(), value + length, b"'" if is_open else None
    return kept + in_plain(word[rest:end], depth), end, None


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


def names_secret_in_link(written, is_query):
    name = written
    for _ in range(MAXIMUM_DEPTH):
        name = percent_decoded(name)
    last = name.rpartition(b"/")[2].decode("utf-8", "replace")
    letters = "".join(filter(str.isalpha, last.lower()))
    return names_secret(last) or is_query and (letters in LINK_NAMES or letters.endswith(LINK_ENDINGS))
