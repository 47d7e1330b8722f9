/*
 * Rules for pages in a browser, of which accessibility checkers have most: `faults(document)` returns
 * what does not hold, as sentences. Pictures: no text is outside its picture, and no two texts lie on
 * each other.
 */
"use strict";

function faults(page) {
    const found = [];
    const must = (holds, what) => { if (!holds) found.push(what); };
    const text = (element) => (element ? element.textContent : "").trim();
    const all = (selector) => [...page.querySelectorAll(selector)];

    for (const details of all("details")) details.open = true;
    must(page.documentElement.lang === "en", "the page has no language");
    must(page.title !== "", "the page has no title");
    must(page.documentElement.scrollWidth <= page.documentElement.clientWidth, "the page is wider than the screen");
    for (const name of ["main", "h1", "header", "footer", "nav"])
        must(all(name).length === 1, `${all(name).length} elements ${name}`);
    must(all("nav[aria-label]").length === 1, "the navigation has no name");
    let level = 0;
    for (const heading of all("h1, h2, h3, h4, h5, h6")) {
        const now = Number(heading.localName[1]);
        must(now <= level + 1 && text(heading) !== "", `heading "${text(heading)}" skips a level or is empty`);
        level = now;
    }
    for (const link of all("a[href]")) {
        const target = page.getElementById(link.getAttribute("href").slice(1));
        must(text(link) !== "" && target !== null, `link "${text(link)}" leads nowhere or has no text`);
    }
    for (const table of all("table")) {
        const heads = [...table.querySelectorAll("th")];
        must(heads.length > 0 && heads.every((head) => head.scope !== "" && text(head) !== ""), "a table without heads");
        for (const row of table.rows) must(row.cells.length === heads.length, "a row with too few cells");
    }
    for (const part of all("details")) must(text(part.querySelector("summary")) !== "", "details without a summary");
    for (const element of all("[aria-labelledby]"))
        must(text(page.getElementById(element.getAttribute("aria-labelledby"))) !== "", `${element.localName} has no name`);
    for (const element of all("div[role]")) must(element.hasAttribute("aria-labelledby"), "a group without a name");
    for (const element of all("div"))
        if (element.scrollWidth > element.clientWidth + 1)
            must(element.tabIndex === 0, "what scrolls cannot be reached by keyboard");
    check_contrast(page, must);
    for (const picture of all("svg")) check_picture(picture, must);
    return [...new Set(found)];
}

function rgb(colour) {
    const parts = (colour.match(/[\d.]+/g) || []).map(Number);
    return parts.length === 3 || parts[3] > 0 ? parts.slice(0, 3) : null;
}

function luminance(colour) {
    const [r, g, b] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
}

/* WCAG 2, 1.4.3: 4.5:1, or 3:1 of large texts. */
function check_contrast(page, must) {
    const view = page.defaultView;
    const walker = page.createTreeWalker(page.body, 4);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const element = node.parentElement;
        if (node.data.trim() === "" || ["title", "script"].includes(element.localName)) continue;
        const style = view.getComputedStyle(element);
        let behind = null;
        for (let at = element; at !== null && behind === null; at = at.parentElement)
            behind = rgb(view.getComputedStyle(at).backgroundColor);
        const colour = rgb(element.namespaceURI.endsWith("svg") ? style.fill : style.color);
        const is_large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
        const now = colour === null ? 0 : ratio(colour, behind || [255, 255, 255]);
        must(now >= (is_large ? 3 : 4.5), `"${node.data.trim().slice(0, 30)}" has a contrast of ${now.toFixed(2)}`);
    }
}

function check_picture(picture, must) {
    const name = (picture.querySelector("title") || {}).textContent || "";
    const frame = picture.getBoundingClientRect();
    must(picture.getAttribute("role") === "img" && name.trim() !== "", "a picture without a role or a title");
    const texts = [...picture.querySelectorAll("text")].map((element) => ({words: element.textContent, box: element.getBoundingClientRect()}));
    for (const {words, box} of texts)
        must(box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1,
            `"${words}" is cut off in "${name}"`);
    texts.forEach((one, number) => texts.slice(number + 1).forEach((other) => {
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        must(!(wide > 1 && high > 4), `"${one.words}" lies on "${other.words}" in "${name}"`);
    }));
}
