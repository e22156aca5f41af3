"""The door of the workbench: who is refused, and that nothing happens then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.command_line import TINY, unchanged
from tests.experiments.benches import Browser, bench

EDIT = json.dumps({"card": "ember_whelp", "field": "attack", "to": 1}).encode()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with bench(tmp_path_factory.mktemp("bench"), TINY) as opened:
        yield opened


def refused(answer: tuple[int, dict[str, str], bytes], status: int) -> str:
    """One line that says why, as JSON, with all the headers of our answers."""
    assert answer[0] == status, answer
    told = json.loads(answer[2])
    assert told.keys() == {"error", "place"}
    assert told["error"]
    assert "\n" not in told["error"]
    assert "default-src 'none'" in answer[1]["content-security-policy"]
    assert "set-cookie" not in answer[1]
    return told["error"]


WRONG = {
    "another host (DNS rebinding)": ({"Host": "evil.example"}, 403),
    "another host at our port": ({"Host": "evil.example:{port}"}, 403),
    "our address without the port": ({"Host": "127.0.0.1"}, 403),
    "all addresses": ({"Host": "0.0.0.0:{port}"}, 403),
    "another origin": ({"Origin": "http://evil.example"}, 403),
    "the origin of another port": ({"Origin": "http://127.0.0.1:1"}, 403),
    "an origin that is kept secret": ({"Origin": "null"}, 403),
    "our origin by another scheme": ({"Origin": "https://127.0.0.1:{port}"}, 403),
    "no origin": ({"Origin": None}, 403),
    "another site": ({"Sec-Fetch-Site": "cross-site"}, 403),
    "another origin of the site": ({"Sec-Fetch-Site": "same-site"}, 403),
    "a page without a site": ({"Sec-Fetch-Site": "none"}, 403),
    "no cookie": ({"Cookie": None}, 403),
    "a wrong cookie": ({"Cookie": "evenhand-{port}=AAAA"}, 403),
    "two cookies": ({"Cookie": "evenhand-{port}=AAAA; {cookie}"}, 403),
    "no header of ours": ({"X-Evenhand": None}, 403),
    "a form": ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    "text": ({"Content-Type": "text/plain"}, 415),
    "no type": ({"Content-Type": None}, 415),
    "a packed body": ({"Content-Encoding": "gzip"}, 415),
    "a method in a header": ({"X-HTTP-Method-Override": "PUT"}, 400),
}


@pytest.mark.parametrize("what", WRONG)
def test_an_edit_that_is_asked_wrongly_is_refused(what: str, browser: Browser) -> None:
    wrong, status = WRONG[what]
    known = {"port": browser.port, "cookie": browser.cookie}
    headers = {**browser.headers, **wrong}
    told = {name: value.format(**known) for name, value in headers.items() if value is not None}
    with unchanged(browser.state):
        refused(browser.raw("POST", "/edit", told, EDIT), status)


def test_a_request_for_no_host_at_all_is_none(browser: Browser) -> None:
    headers = {name: value for name, value in browser.headers.items() if name != "Host"}
    with suppress(ConnectionError):  # it may have answered and hung up before the body comes
        assert browser.raw("POST", "/edit", headers, EDIT)[0] == 400
    assert browser.state()["edits"] == []
    assert browser.raw("GET", "/state", headers)[0] == 400


def test_the_same_edit_asked_rightly_is_done(browser: Browser) -> None:
    status, _, body = browser.raw("POST", "/edit", browser.headers, EDIT)
    assert (status, json.loads(body).keys()) == (200, {"revision"})
    assert browser.state()["edits"][0]["to"] == 1
    browser.done("/undo")


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
def test_a_body_that_makes_no_sense_is_refused(body: bytes, status: int, browser: Browser) -> None:
    with unchanged(browser.state):
        refused(browser.raw("POST", "/edit", browser.headers, body), status)


def test_a_body_that_hides_its_length_is_not_read_to_the_end(browser: Browser) -> None:
    headers = {**browser.headers, "Transfer-Encoding": "chunked"}
    chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
    refused(browser.raw("POST", "/edit", headers, chunk * 40 + b"0\r\n\r\n"), 413)


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
def test_other_ways_and_places_are_refused(
    method: str, path: str, status: int, browser: Browser
) -> None:
    headers = browser.headers if method == "POST" else {
        "Host": browser.host, "Cookie": browser.cookie
    }  # fmt: skip
    answer = browser.raw(method, path, headers, b"{}" if method == "POST" else None)
    if method == "HEAD":
        assert answer[0] == status
    else:
        refused(answer, status)


def test_a_link_opens_once_but_for_whom_it_let_in(browser: Browser) -> None:
    path = browser.url.removeprefix(browser.base)
    host = {"Host": browser.host}
    name = browser.cookie.split("=")[0]
    for cookie in ({}, {"Cookie": f"{name}=guessed"}, {"Cookie": f"{name}="}):
        assert "has been used" in refused(browser.raw("GET", path, host | cookie), 403)
    mine = host | {"Cookie": browser.cookie}
    status, headers, _ = browser.raw("GET", path, mine)
    assert (status, headers["location"]) == (303, "/")
    assert headers["set-cookie"].split(";")[0] == browser.cookie
    assert "another session" in refused(browser.raw("GET", f"{path}x", mine), 403)
    assert "another site" in refused(
        browser.raw("GET", path, mine | {"Sec-Fetch-Site": "cross-site"}), 403
    )


def test_nothing_is_shown_to_who_has_no_cookie(browser: Browser) -> None:
    for path in ("/", "/state", "/events", "/static/workbench.js"):
        assert "open the link" in refused(browser.raw("GET", path, {"Host": browser.host}), 403)
    foreign = {"Host": browser.host, "Cookie": browser.cookie, "Sec-Fetch-Site": "cross-site"}
    refused(browser.raw("GET", "/state", foreign), 403)


def test_the_cookie_is_for_this_page_alone(browser: Browser, tmp_path: Path) -> None:
    with bench(tmp_path, TINY) as other:
        assert "token=" in other.url.removeprefix(other.base)
        assert other.cookie.split("=")[0] != browser.cookie.split("=")[0]
        refused(other.raw("GET", "/state", {"Host": other.host, "Cookie": browser.cookie}), 403)


def test_the_page_may_load_nothing_from_elsewhere(browser: Browser) -> None:
    headers = {"Host": browser.host, "Cookie": browser.cookie, "Sec-Fetch-Site": "none"}
    status, told, page = browser.raw("GET", "/", headers)
    assert status == 200
    assert b"tiny" in page
    assert "script-src 'self'" in told["content-security-policy"]
    assert "unsafe" not in told["content-security-policy"]
    assert told["cache-control"] == "no-store"
    assert "server" not in told


def test_a_script_in_a_note_or_a_card_stays_text(tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script>"
    with bench(tmp_path, TINY) as own:
        own.done("/note", card="ember_whelp", text=evil)
        _, headers, _ = own.raw("GET", "/state", {"Host": own.host, "Cookie": own.cookie})
        assert headers["content-type"] == "application/json"
        assert own.state()["notes"] == {"ember_whelp": evil}
        own.done("/save")
        page = Path(own.state()["saved"]["folder"], "session.html").read_text()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
