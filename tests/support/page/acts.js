/*
 * A reader for tests: acts on a page as with mouse and keyboard, and adds what it sees at the end of the
 * page, as lines "told|...". The script of a test calls `read(() => { ... })`.
 */
"use strict";

const tell = (...what) => document.body.append(`\ntold|${what.join("|")}\n`);
const box_of = (picture) => document.getElementById(`${picture}-c`).parentNode.querySelector(".picture");
const tip = () => {
    const shown = document.querySelector(".tip");
    return shown && !shown.hidden ? shown.textContent.replaceAll("\n", "; ") : "nothing shown";
};

/* Acts with a pointer at a point of a picture, in its units. */
function point(type, picture, x, y) {
    const svg = box_of(picture).querySelector("svg");
    svg.scrollIntoView({block: "center"});
    const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    (document.elementFromPoint(at.x, at.y) || svg).dispatchEvent(new PointerEvent(type, {clientX: at.x, clientY: at.y,
        button: 0, pointerType: "mouse", bubbles: true, cancelable: true}));
}

function hover(picture, x, y) {
    point("pointermove", picture, x, y);
    return tip();
}

function drag(picture, x1, y1, x2, y2) {
    point("pointerdown", picture, x1, y1);
    point("pointermove", picture, x2, y2);
    point("pointerup", picture, x2, y2);
}

function press(element, ...keys) {
    element.focus({focusVisible: true});
    for (const key of keys) element.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
    return tip();
}

/* The head of a table's column in a section, and the texts of the column. */
const head = (section, name) => [...document.querySelectorAll(`#${section} th`)].find((one) => one.textContent === name);
const column = (cell) => [...cell.closest("table").tBodies[0].rows].map((row) => row.cells[cell.cellIndex].textContent).join(",");
const ticks = (picture, axis) => [...box_of(picture).querySelector(`.ticks-${axis}`).children].map((one) => one.textContent).filter(String).join(",");

function read(acts) {
    addEventListener("load", () => {
        try {
            acts();
        } catch (error) {
            tell("error", error.stack);
        }
    });
}
