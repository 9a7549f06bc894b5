"""Nothing moves under the finger: positions before, during and after every message, on two screens, and five in `make
faults`, in two sizes of text, with no, some and many words found."""

from __future__ import annotations

from itertools import product

import pytest
from sampling import sampled

import pipeline
from pipeline.words import pangram

LETTERS, OTHER = "ehinopr", "vctaoen"
SCREENS = [(320, 640), (390, 844), (768, 1024), (844, 390), (1280, 800)]
KINDS = {"letters", "short", "center", "found", "hidden", "unknown", "maybe", "good", "good pangram", ""}
HALF = 0.5  # a pixel

PLAY = """async (steps) => {
    const said = document.querySelector("#said");
    const parts = [...document.querySelectorAll("#said, .game-top, .game-top :is(h1, button), #rank-button, #typed," +
        ".ring, .node, #strip, :is(.keys, .tabs) button")]
        .filter((part) => part.getClientRects().length);
    const box = (part) => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY];
    };
    const name = (part) => part.id || part.className || part.textContent.replace(/\\d/g, "");
    const look = (size) => {
        document.documentElement.style.fontSize = size;
        const cut = [...document.querySelectorAll(".game-top h1, .game-top button, .keys button, .tabs button")]
            .filter((part) => part.scrollWidth > part.clientWidth + 1).map(name);
        const last = document.querySelector("#typed i:last-child");
        return { size, boxes: Object.fromEntries(parts.map((part) => [name(part), box(part)])), cut,
            last: last && box(last), wide: document.documentElement.scrollWidth - innerWidth };
    };
    const heard = () => new Promise((done) => {
        new MutationObserver((_, watch) => (watch.disconnect(), done())).observe(said, { childList: true });
    });
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const seen = [];
    for (const step of steps) {
        if (step === "Share") {
            const told = heard();
            document.querySelector("#share").click();
            await told;
        } else for (const key of step) press(key === "\\n" ? "Enter" : key);
        for (const size of ["100%", "200%"]) {
            seen.push({ step, kind: said.className, says: said.textContent, ...look(size) });
        }
    }
    return seen;
}"""
"""Play the steps, keys or Share, and after each one measure everything in two sizes of text."""


def played(released) -> list[str]:
    """Every kind of message, also with the longest words, with no, one, two and forty words found."""
    spelled = (row for row in released if "e" in row["word"] and set(row["word"]) <= set(LETTERS))
    maybe = next(row["word"] for row in spelled if row["tier"] == "review")
    guesses = ["", "her", "prior", "hornier", maybe, maybe, "e" * 24, "qwtyuasdfgjklzxcvbmqwtyu"]
    *found, another = pipeline.solve(LETTERS)[:44]
    longest = max(found, key=len)
    steps = []
    for some in ("", longest, next(filter(pangram, found)), "\n".join(found)):
        steps += [some, "\n"] if some else []
        for word in [*guesses, *([longest] if some else [])]:
            steps += [word, "\n"]
        steps += ["Share", "x", "\n"]
    return [*steps, another, "\n", "h"]


def over(one: list[float], other: list[float]) -> bool:
    """Whether two boxes overlap."""
    (left, top, right, bottom), (start, high, end, low) = one, other
    return min(right, end) - max(left, start) > HALF and min(bottom, low) - max(top, high) > HALF


def faults(state: dict, first: dict, width: int) -> list[str]:
    """What is wrong with a state of the page, compared with the first one of the same size of text."""
    boxes = dict(state["boxes"])
    said = boxes.pop("said")
    moved = [
        f"{part} moved by {max(abs(now - was) for now, was in zip(box, first['boxes'][part], strict=True)):.1f} px"
        for part, box in boxes.items()
        if any(abs(now - was) > HALF for now, was in zip(box, first["boxes"][part], strict=True))
    ]
    nodes = {part: boxes[part] for part in boxes if part.startswith("node")}
    rest = {part: box for part, box in boxes.items() if part not in nodes and part != "ring"}
    sides = {part: (right - left) - (bottom - top) for part, (left, top, right, bottom) in nodes.items()}
    covered = [f"{node} overlaps {part}" for node, part in product(nodes, rest) if over(nodes[node], rest[part])]
    below = [part for part in boxes if part not in ("game-top", "game-title", "print", "quiet", "rank-button", "typed")]
    # Words are typed in small text only.
    hidden = state["last"] and state["size"] == "100%" and state["last"][2] > boxes["typed"][2]
    assert len(nodes) == 7
    return [
        *moved,
        *(f"{node} is not round: {side:.1f} px" for node, side in sides.items() if abs(side) > HALF),
        *covered,
        *(f"the message overlaps {part}" for part in below if over(said, boxes[part])),
        *(["the message begins above the page"] if said[1] < 0 else []),
        *(f"{part} is cut" for part in state["cut"]),
        *(f"{part} is beside the page" for part, box in boxes.items() if box[0] < 0 or box[2] > width + HALF),
        *([f"the page is {state['wide']} px too wide"] if state["wide"] > 0 else []),
        *(["the end of the word is out of sight"] if hidden else []),
    ]


@pytest.mark.parametrize("screen", sampled(SCREENS, [(320, 640)]))
def test_nothing_moves_whatever_is_said(open_tab, home, released, screen):
    width, height = screen
    clipboard = ["clipboard-read", "clipboard-write"]
    tab = open_tab(home, viewport={"width": width, "height": height}, permissions=clipboard)
    page = tab.page
    page.add_init_script("localStorage['bee:set:filter'] = 'family'")
    page.route("**/more.json*", lambda route: route.abort())
    tab.open(OTHER)
    page.locator("#said", has_text="The rest of the list did not load").wait_for()
    states = page.evaluate(PLAY, [""])
    page.unroute("**/more.json*")
    page.evaluate(f"location.hash = '{LETTERS}'")
    page.get_by_role("heading", name="E HINOPR").wait_for()
    tab.whole()
    states += page.evaluate(PLAY, ["", *played(released)])
    firsts = {size: next(state for state in states if state["size"] == size) for size in ("100%", "200%")}
    wrong: dict[str, str] = {}
    for state in states:
        for fault in faults(state, firsts[state["size"]], width):
            wrong.setdefault(f"{state['size']}: {fault.split(' by ')[0]}", f"{fault}, {state['step']}: {state['says']}")
    assert wrong == {}
    assert {state["kind"] for state in states} == KINDS
    said = " ".join(state["says"] for state in states)
    for part in ("The rest of the list did not load", "Type or tap", "Copied:", "Pangram! ", "New rank: Moving Up."):
        assert part in said, part
    assert int(page.locator(".tabs .found-count").inner_text()) > 40
