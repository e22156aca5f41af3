"""Authentication of the workbench: refused requests have no effect."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.command_line import TINY, unchanged
from tests.experiments.benches import Browser, bench
from tests.messages import check_message

EDIT = json.dumps({"card": "ember_whelp", "field": "attack", "to": 1}).encode()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A client that has opened the link."""
    with bench(tmp_path_factory.mktemp("bench"), TINY) as opened:
        yield opened


def check_refused(answer: tuple[int, dict[str, str], bytes], status: int) -> None:
    """Check the answer to a refused request: status, headers, and a message of one line."""
    assert answer[0] == status, answer
    content = json.loads(answer[2])
    assert content.keys() == {"error", "place"}
    assert content["error"]
    assert "\n" not in content["error"]
    assert "default-src 'none'" in answer[1]["content-security-policy"]
    assert "set-cookie" not in answer[1]
    check_message(content["error"])


WRONG = {
    "another host (DNS rebinding)": ({"Host": "evil.example"}, 403),
    "another host at our port": ({"Host": "evil.example:{port}"}, 403),
    "our address without the port": ({"Host": "127.0.0.1"}, 403),
    "all addresses": ({"Host": "0.0.0.0:{port}"}, 403),
    "another origin": ({"Origin": "http://evil.example"}, 403),
    "the origin of another port": ({"Origin": "http://127.0.0.1:1"}, 403),
    "a hidden origin": ({"Origin": "null"}, 403),
    "our origin by another scheme": ({"Origin": "https://127.0.0.1:{port}"}, 403),
    "no origin": ({"Origin": None}, 403),
    "another site": ({"Sec-Fetch-Site": "cross-site"}, 403),
    "another origin of the site": ({"Sec-Fetch-Site": "same-site"}, 403),
    "a page without a site": ({"Sec-Fetch-Site": "none"}, 403),
    "no cookie": ({"Cookie": None}, 403),
    "a wrong cookie": ({"Cookie": "evenhand-{port}=AAAA"}, 403),
    "two cookies": ({"Cookie": "evenhand-{port}=AAAA; {cookie}"}, 403),
    "no workbench header": ({"X-Evenhand": None}, 403),
    "a form": ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    "text": ({"Content-Type": "text/plain"}, 415),
    "no type": ({"Content-Type": None}, 415),
    "a packed body": ({"Content-Encoding": "gzip"}, 415),
    "a method in a header": ({"X-HTTP-Method-Override": "PUT"}, 400),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_edit_with_wrong_headers_is_refused(what: str, browser: Browser) -> None:
    wrong, status = WRONG[what]
    known = {"port": browser.port, "cookie": browser.cookie}
    headers = {**browser.headers, **wrong}
    sent = {name: value.format(**known) for name, value in headers.items() if value is not None}
    with unchanged(browser.state):
        check_refused(browser.raw("POST", "/edit", sent, EDIT), status)


def test_a_request_without_a_host_is_refused(browser: Browser) -> None:
    headers = {name: value for name, value in browser.headers.items() if name != "Host"}
    with suppress(ConnectionError):  # the server may answer and close before the body arrives
        assert browser.raw("POST", "/edit", headers, EDIT)[0] == 400
    assert browser.state()["edits"] == []
    assert browser.raw("GET", "/state", headers)[0] == 400


def test_the_same_edit_with_right_headers_is_done(browser: Browser) -> None:
    status, _, body = browser.raw("POST", "/edit", browser.headers, EDIT)
    assert (status, json.loads(body).keys()) == (200, {"revision"})
    assert browser.state()["edits"][0]["to"] == 1
    browser.submit("/undo")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"not json", 400),
        (b"[1, 2]", 400),
        (b"[" * 40_000, 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": NaN}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": 1e999}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": ' + b"9" * 5_000 + b"}", 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": 99999999999999}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": 1.5}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": true}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": "1"}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": 1, "do": "apply"}', 400),
        (b'{"card": "ember_whelp", "field": "attack", "to": 1, "file": "/etc/passwd"}', 400),
        (b'{"card": "ember_whelp", "field": "__class__", "to": 1}', 400),
        (b'{"card": "<script>alert(1)</script>", "field": "attack", "to": 1}', 400),
        (b'{"card": "\xff\xfe", "field": "attack", "to": 1}', 400),
        (b" " * 70_000, 413),
    ],
)
def test_an_invalid_body_is_refused(body: bytes, status: int, browser: Browser) -> None:
    with unchanged(browser.state):
        check_refused(browser.raw("POST", "/edit", browser.headers, body), status)


def test_a_body_without_a_length_is_read_up_to_the_limit(browser: Browser) -> None:
    headers = {**browser.headers, "Transfer-Encoding": "chunked"}
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    check_refused(browser.raw("POST", "/edit", headers, chunk * 40 + b"0\r\n\r\n"), 413)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/edit", 405),
        ("GET", "/undo", 405),
        ("GET", "/save", 405),
        ("PUT", "/edit", 405),
        ("DELETE", "/state", 405),
        ("OPTIONS", "/edit", 405),
        ("HEAD", "/state", 405),
        ("POST", "/state", 400),
        ("POST", "/delete", 400),
        ("GET", "/static/../session.py", 404),
        ("GET", "/static/..%2fserver.py", 404),
        ("GET", "/static/%2e%2e/server.py", 404),
        ("GET", "/static/..\\server.py", 404),
        ("GET", "/static//etc/passwd", 404),
        ("GET", "/static/index.html.j2", 404),
        ("GET", "//evil.example/", 404),
        ("GET", "/state?callback=steal", 400),
        ("GET", "/?next=http://evil.example", 400),
        ("GET", "/?token=", 403),
    ],
)
def test_other_methods_and_paths_are_refused(
    method: str, path: str, status: int, browser: Browser
) -> None:
    headers = browser.headers if method == "POST" else {
        "Host": browser.host, "Cookie": browser.cookie
    }  # fmt: skip
    answer = browser.raw(method, path, headers, b"{}" if method == "POST" else None)
    if method == "HEAD":
        assert answer[0] == status
    else:
        check_refused(answer, status)


def test_a_link_is_valid_once_except_for_the_browser_with_the_cookie(browser: Browser) -> None:
    path = browser.url.removeprefix(browser.base)
    host = {"Host": browser.host}
    name = browser.cookie.split("=")[0]
    for cookie in ({}, {"Cookie": f"{name}=guessed"}, {"Cookie": f"{name}="}):
        check_refused(browser.raw("GET", path, host | cookie), 403)
    own = host | {"Cookie": browser.cookie}
    status, headers, _ = browser.raw("GET", path, own)
    assert (status, headers["location"]) == (303, "/")
    assert headers["set-cookie"].split(";")[0] == browser.cookie
    check_refused(browser.raw("GET", f"{path}x", own), 403)
    check_refused(browser.raw("GET", path, own | {"Sec-Fetch-Site": "cross-site"}), 403)


def test_a_request_without_the_cookie_is_refused(browser: Browser) -> None:
    for path in ("/", "/state", "/events", "/static/workbench.js"):
        check_refused(browser.raw("GET", path, {"Host": browser.host}), 403)
    foreign = {"Host": browser.host, "Cookie": browser.cookie, "Sec-Fetch-Site": "cross-site"}
    check_refused(browser.raw("GET", "/state", foreign), 403)


def test_the_cookie_is_valid_for_one_workbench_only(browser: Browser, tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as other:
        assert "token=" in other.url.removeprefix(other.base)
        assert other.cookie.split("=")[0] != browser.cookie.split("=")[0]
        check_refused(
            other.raw("GET", "/state", {"Host": other.host, "Cookie": browser.cookie}), 403
        )


def test_the_security_policy_forbids_foreign_content(browser: Browser) -> None:
    headers = {"Host": browser.host, "Cookie": browser.cookie, "Sec-Fetch-Site": "none"}
    status, received, page = browser.raw("GET", "/", headers)
    assert status == 200
    assert b"tiny" in page
    assert "script-src 'self'" in received["content-security-policy"]
    assert "unsafe" not in received["content-security-policy"]
    assert received["cache-control"] == "no-store"
    assert "server" not in received


def test_a_script_in_a_note_or_a_card_stays_text(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script>"
    with bench(tmp_path, TINY) as own:
        own.submit("/note", card="ember_whelp", text=evil)
        _, headers, _ = own.raw("GET", "/state", {"Host": own.host, "Cookie": own.cookie})
        assert headers["content-type"] == "application/json"
        assert own.state()["notes"] == {"ember_whelp": evil}
        own.submit("/save")
        page = Path(own.state()["saved"]["folder"], "session.html").read_text()
    assert "<script" not in page
    assert html.escape(evil) in page
