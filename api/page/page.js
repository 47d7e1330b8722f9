/*
 * What a reader can do with a page where scripts run: sort tables, read values, zoom, and see one view of a picture
 * alone. The page looks the same until the reader acts. It loads nothing, keeps nothing, and writes texts only as texts.
 * Marks of a picture are groups with a title. Dense pictures are groups with data-values (grids), which api/chart/tooltips.c
 * writes: codes of one or two digits, part by part, row by row.
 */
"use strict";
(() => {
    const SVG = "http://www.w3.org/2000/svg", NONE = "~", AGAIN = "}", BASE = 87, CLICK = 5, ALL = [0, 0, 1, 1];
    const DIGITS = [...Array(92).keys()].map((i) => String.fromCharCode(33 + i)).filter((c) => !"\"&'<>".includes(c)).join("");
    const UNITS = {ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40};
    const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
    const short = (value) => String(Number(value.toPrecision(6)));
    const set = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));
    const shape = (name, values) => { const made = document.createElementNS(SVG, name); set(made, values); return made; };
    const numbers = (text) => text.split(" ").map(Number);
    /* ---- tables ---- */
    function number_of(text) {
        const parts = /^([-+]?)\$?([\d,]*\.?\d+(?:e[-+]?\d+)?) ?([A-Za-z]+)?/.exec(text.trim());
        return parts ? Number(parts[1] + parts[2].replaceAll(",", "")) * (UNITS[parts[3]] || 1) : NaN;
    }
    /* Sorts by a column: numbers from the largest on, texts from A on; once more: the other way. */
    function sort(head) {
        const body = head.closest("table").tBodies[0], numeric = head.className === "n";
        const before = head.getAttribute("aria-sort"), up = before ? before === "descending" : !numeric, sign = up ? 1 : -1;
        const rows = [...body.rows].map((row) => ({row, text: row.cells[head.cellIndex].textContent}));
        rows.sort((one, other) => {
            if (!numeric) return sign * one.text.localeCompare(other.text, "en", {numeric: true});
            const [a, b] = [number_of(one.text), number_of(other.text)];
            return isNaN(a) || isNaN(b) ? isNaN(a) - isNaN(b) : sign * (a - b);
        });
        for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
        set(head, {"aria-sort": up ? "ascending" : "descending"});
        body.append(...rows.map((one) => one.row));
    }
    /* ---- the box with values ---- */
    let tip = null;
    function show_tip(text, x, y) {
        if (!tip) {
            tip = document.body.appendChild(document.createElement("div"));
            set(tip, {class: "tip", role: "status"});
        }
        if (tip.textContent !== text) tip.textContent = text;
        tip.hidden = false;
        const {width, height} = tip.getBoundingClientRect();
        tip.style.left = `${Math.max(4, Math.min(x + 14, document.documentElement.clientWidth - width - 4))}px`;
        tip.style.top = `${y + 18 + height < innerHeight ? y + 18 : Math.max(4, y - height - 10)}px`;
    }
    /* ---- grids ---- */
    function decode(text, digits) {
        const values = [];
        for (let i = 0; i < text.length; i++)
            if (text[i] === AGAIN) values.push(...Array(DIGITS.indexOf(text[++i]) + 1).fill(values.at(-1)));
            else if (text[i] === NONE) values.push(NaN);
            else values.push(digits === 1 ? DIGITS.indexOf(text[i]) : DIGITS.indexOf(text[i]) * BASE + DIGITS.indexOf(text[++i]));
        return values;
    }
    /* An axis begins with a number, has a count of them, and so many for each cell. 0: it is continuous, -1: cells share
     * the numbers. */
    function grid_of(group) {
        const data = group.dataset, [x, y, width, height, rows, columns, digits, most] = numbers(data.grid);
        const [across, up] = ["x", "y"].map((name) => {
            const [from, count, span] = numbers(data[`${name}Range`]);
            return {label: data[name], from, count, span, names: data[`${name}Names`]?.split("|")};
        });
        return {group, x, y, width, height, rows, columns, digits, most, across, up, title: data.title, unit: data.unit,
            parts: data.parts.split("|"), frame: group.querySelector(".frame"), codes: decode(data.values, digits)};
    }
    function place_text({label, from, count, span, names}, cell, cells) {
        const edge = (i) => from + (span > 0 ? Math.min(i * span, count) : span < 0 ? Math.floor(i * count / cells) : i * count / cells);
        const first = edge(cell), last = edge(cell + 1) - (span === 0 ? 0 : 1);
        return `${label}: ${names ? names[cell] : short(first)}${!names && last > first ? ` to ${short(last)}` : ""}`;
    }
    function cell_text(grid, row, column) {
        const full = BASE ** grid.digits - 1, decimals = clamp(Math.floor(Math.log10(full / grid.most)), 0, 6);
        const lines = [grid.title, place_text(grid.across, column, grid.columns)], values = [];
        if (grid.up.label) lines.splice(1, 0, place_text(grid.up, row, grid.rows));
        grid.parts.forEach((part, i) => {
            const code = grid.codes[(i * grid.rows + row) * grid.columns + column];
            if (isNaN(code) || (code === 0 && part)) return;
            const value = `${grid.digits === 1 ? "about " : ""}${Number((grid.most * code / full).toFixed(decimals))} ${grid.unit}`;
            values.push(part ? `${part}: ${value}` : value);
        });
        return [...lines, ...(values.length > 0 ? values : ["nothing"])].join("\n");
    }
    /* Writes ticks for the part of an axis that is shown; they look like the first one. */
    function renew_ticks({group, children}, axis, [from, to], [start, length], name) {
        const wanted = from > 0 || to < 1 ? [] : children, whole = axis.span > 0, half = whole ? 0.5 : 0;
        const rough = (to - from) * axis.count / 6, ten = 10 ** Math.floor(Math.log10(rough));
        const step = Math.max([1, 2, 5, 10].find((n) => n * ten >= rough * 0.999) * ten, whole ? 1 : 0);
        for (let i = Math.ceil((from * axis.count - half) / step - 1e-9); wanted !== children && i * step + half <= to * axis.count + 1e-9; i++)
            for (const kind of ["line", "text"]) {
                const at = start + length * ((i * step + half) / axis.count - from) / (to - from);
                const copy = children.find((child) => child.localName === kind)?.cloneNode(true);
                if (!copy) continue;
                if (kind === "text") copy.textContent = short(axis.from + i * step);
                set(copy, kind === "line" ? {[`${name}1`]: at, [`${name}2`]: at} : {[name]: name === "y" ? at + 4 : at});
                wanted.push(copy);
            }
        group.replaceChildren(...wanted);
    }
    /* Scales what a grid shows, and cuts it off at the edges of the grid. */
    function zoom_grid(grid, [left, top, right, bottom], id) {
        const whole = right - left === 1 && bottom - top === 1, across = 1 / (right - left), down = 1 / (bottom - top);
        if (!grid.ticks) {
            grid.frame.before(shape("clipPath", {id}));
            grid.frame.previousSibling.append(shape("rect", {x: grid.x, y: grid.y, width: grid.width, height: grid.height}));
            grid.ticks = ["x", "y"].map((name) => [...grid.group.querySelectorAll(`.ticks-${name}`)].map((group) => ({group, children: [...group.children]})));
        }
        grid.frame.classList.toggle("zoomed", !whole);
        set(grid.frame, {"clip-path": whole ? "none" : `url(#${id})`});
        set(grid.frame.firstElementChild, {transform: `translate(${grid.x * (1 - across) - left * grid.width * across} ` +
            `${grid.y * (1 - down) - top * grid.height * down}) scale(${across} ${down})`});
        grid.ticks[0].forEach((ticks) => renew_ticks(ticks, grid.across, [left, right], [grid.x, grid.width], "x"));
        grid.ticks[1].forEach((ticks) => renew_ticks(ticks, grid.up, [top, bottom], [grid.y, grid.height], "y"));
    }
    /* ---- pictures ---- */
    const pictures = new WeakMap();
    class Picture {
        constructor(box) {
            this.box = box;
            this.svg = box.querySelector("svg");
            this.shown = ALL; /* which share of the width and height of grids: left, top, right, bottom */
            this.stop = -1; /* number of the mark or grid, for keyboards */
            const [title, ...marks] = this.svg.querySelectorAll("title");
            this.marks = marks.map((mark) => ({group: mark.parentNode, text: mark.textContent}));
            this.svg.setAttribute("aria-label", title.textContent);
            this.svg.removeAttribute("aria-labelledby");
            [title, ...marks].forEach((one) => one.remove()); /* browsers would show them besides */
            this.grids = [...this.svg.querySelectorAll("[data-values]")].map(grid_of);
            this.views = [...this.svg.querySelectorAll("[data-view]")];
            this.cursor = this.svg.appendChild(shape("rect", {class: "cursor"}));
            this.whole = numbers(this.svg.getAttribute("viewBox"));
        }
        static of(target) {
            const box = target.closest?.(".picture");
            if (box && !pictures.has(box)) pictures.set(box, new Picture(box));
            return pictures.get(box);
        }
        /* Of a picture that has been chosen. */
        add_buttons() {
            if (this.views.length < 2 || this.box.nextElementSibling) return;
            const bar = document.createElement("div"), buttons = [null, ...this.views].map((view) => {
                const button = bar.appendChild(document.createElement("button"));
                button.textContent = view ? view.dataset.view : "all";
                set(button, {type: "button", "aria-pressed": !view});
                button.addEventListener("click", () => {
                    this.choose(view);
                    buttons.forEach((one) => one.setAttribute("aria-pressed", one === button));
                });
                return button;
            });
            set(bar, {class: "views"});
            this.box.after(bar);
        }
        /* Shows one view alone, with the legend below it; null: all. */
        choose(chosen) {
            const legend = this.svg.querySelector("[data-legend]"), least = this.whole[2] / 2;
            let [x, y, width, height] = chosen ? numbers(chosen.dataset.box) : this.whole;
            this.views.forEach((view) => { view.style.display = chosen && view !== chosen ? "none" : ""; });
            if (legend) legend.setAttribute("transform", `translate(0 ${chosen ? y + height - legend.dataset.legend : 0})`);
            if (legend && chosen) height += this.whole[3] - legend.dataset.legend;
            if (width < least) [x, width] = [x - (least - width) / 2, least];
            set(this.svg, {viewBox: [x, y, width, height].join(" "), height: height * this.whole[2] / width});
            this.drop();
        }
        drop() { this.cursor.style.display = "none"; if (tip) tip.hidden = true; }
        /* Shows a text, and around what it is about. */
        show(text, x, y, width, height, event) {
            set(this.cursor, {x, y, width, height});
            this.cursor.style.display = "inline";
            if (!event) this.cursor.scrollIntoView({block: "nearest", inline: "nearest"});
            const box = this.cursor.getBoundingClientRect();
            show_tip(text, event ? event.clientX : box.right, event ? event.clientY : box.bottom);
        }
        show_mark(mark, event) {
            const {x, y, width, height} = mark.group.getBBox();
            this.show(mark.text, x - 2, y - 2, width + 4, height + 4, event);
        }
        show_cell(grid, row, column, event) {
            const [left, top, right, bottom] = this.shown_of(grid);
            const edge = (from, length, share, first, last) => from + length * clamp((share - first) / (last - first), 0, 1);
            const [x, end_x] = [column, column + 1].map((i) => edge(grid.x, grid.width, i / grid.columns, left, right));
            const [y, end_y] = [row, row + 1].map((i) => edge(grid.y, grid.height, i / grid.rows, top, bottom));
            this.cell = {grid, row, column};
            this.show(cell_text(grid, row, column), x, y, end_x - x, end_y - y, event);
        }
        shown_of(grid) { return grid.frame ? (grid.rows > 1 ? this.shown : [this.shown[0], 0, this.shown[2], 1]) : ALL; }
        point(event) { return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse()); }
        grid_at(event) {
            const p = this.point(event);
            return this.grids.find(({group, x, y, width, height}) =>
                group.getClientRects().length > 0 && p.x >= x && p.x < x + width && p.y >= y && p.y < y + height);
        }
        cell_at(grid, event) {
            const p = this.point(event), [left, top, right, bottom] = this.shown_of(grid);
            const place = (share, first, last, cells) => Math.floor(cells * (first + (last - first) * clamp(share, 0, 1 - 1e-9)));
            return [place((p.y - grid.y) / grid.height, top, bottom, grid.rows), place((p.x - grid.x) / grid.width, left, right, grid.columns)];
        }
        hover(event) {
            const mark = this.marks.find((one) => one.group.contains(event.target)), grid = this.grid_at(event);
            if (mark) this.show_mark(mark, event);
            else if (grid) this.show_cell(grid, ...this.cell_at(grid, event), event);
            else this.drop();
        }
        /* With arrow keys: to the next cell, and from the edge to the next grid or mark. */
        move(across, down) {
            const at = this.cell, grid = this.grids[this.stop - this.marks.length], count = this.marks.length + this.grids.length;
            const row = at ? at.row + down : 0, column = at ? at.column + across : 0;
            if (grid && at.grid === grid && row >= 0 && row < grid.rows && column >= 0 && column < grid.columns) {
                this.show_cell(grid, row, column);
            } else if (count > 0) {
                this.stop = (this.stop + (across + down > 0 || this.stop < 0 ? 1 : count - 1)) % count;
                if (this.stop < this.marks.length) this.show_mark(this.marks[this.stop]);
                else this.show_cell(this.grids[this.stop - this.marks.length], 0, 0);
            }
        }
        zoom(shown) {
            this.shown = shown;
            this.grids.forEach((grid, i) => grid.frame && zoom_grid(grid, this.shown_of(grid), `${this.box.getAttribute("aria-labelledby")}-${i}`));
            this.drop();
        }
        zoom_row() {
            const {grid, row} = this.cell || {};
            if (grid?.frame && grid.rows > 1) this.zoom([this.shown[0], row / grid.rows, this.shown[2], (row + 1) / grid.rows]);
        }
        /* Zooms to whole cells around the present one. */
        zoom_by(factor) {
            const grid = this.grids.find((one) => one.frame) || {}, [left, top, right, bottom] = this.shown;
            const at = this.cell || {row: grid.rows >> 1, column: grid.columns >> 1};
            const part = (size, cell, cells) => {
                const wanted = clamp(Math.ceil(size * factor * cells - 1e-6), 1, cells);
                const first = clamp(cell - (wanted >> 1), 0, cells - wanted);
                return [first / cells, (first + wanted) / cells];
            };
            const x = part(right - left, at.column, grid.columns), y = part(bottom - top, at.row, grid.rows);
            if (grid.frame) this.zoom([x[0], y[0], x[1], y[1]]);
        }
        /* Zooms to the cells between two places. */
        zoom_between(grid, one, other) {
            const cells = [one, other].map((event) => this.cell_at(grid, event));
            const [[top, bottom], [left, right]] = [0, 1].map((side) => cells.map((cell) => cell[side]).sort((a, b) => a - b));
            const rows = grid.rows > 1 ? [top / grid.rows, (bottom + 1) / grid.rows] : [this.shown[1], this.shown[3]];
            this.zoom([left / grid.columns, rows[0], (right + 1) / grid.columns, rows[1]]);
        }
    }
    /* ---- what the reader does ---- */
    let drag = null, last = null;
    const is_drag = (event) => drag && Math.hypot(event.clientX - drag.from.clientX, event.clientY - drag.from.clientY) > CLICK;
    function attend(picture) {
        if (last !== picture) last?.drop();
        last = picture;
    }
    function on_move(event) {
        const picture = drag ? drag.picture : Picture.of(event.target);
        attend(picture);
        if (!is_drag(event)) return picture?.hover(event);
        const [one, other] = [picture.point(drag.from), picture.point(event)], [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
        return picture.show("Zoom to these cells", x, y, Math.abs(one.x - other.x), Math.abs(one.y - other.y), event);
    }
    const zoom_in = (picture) => picture.zoom_by(0.5);
    const KEYS = {ArrowLeft: (picture) => picture.move(-1, 0), ArrowRight: (picture) => picture.move(1, 0),
        ArrowUp: (picture) => picture.move(0, -1), ArrowDown: (picture) => picture.move(0, 1), "+": zoom_in, "=": zoom_in,
        "-": (picture) => picture.zoom_by(2), Enter: (picture) => picture.zoom_row(), Escape: (picture) => picture.zoom(ALL)};
    document.addEventListener("pointermove", on_move);
    document.addEventListener("pointerdown", (event) => {
        const picture = event.button === 0 && event.pointerType !== "touch" ? Picture.of(event.target) : null;
        const grid = picture && picture.grid_at(event);
        drag = grid && grid.frame ? {picture, grid, from: event} : null;
    });
    document.addEventListener("pointerup", (event) => {
        if (is_drag(event)) drag.picture.zoom_between(drag.grid, drag.from, event);
        drag = null;
    });
    document.addEventListener("dblclick", () => last?.zoom_row());
    for (const name of ["selectstart", "dragstart"]) document.addEventListener(name, (event) => { if (drag) event.preventDefault(); });
    document.addEventListener("click", (event) => { if (event.target.localName === "th") sort(event.target); });
    document.addEventListener("keydown", (event) => {
        const {target, key} = event, act = KEYS[key], is_head = target.localName === "th" && (key === "Enter" || key === " ");
        if (event.ctrlKey || event.altKey || event.metaKey || !(is_head || act)) return;
        if (is_head) sort(target);
        else if (target.className === "picture") act(Picture.of(target));
        else if (key === "Escape" && last) last.zoom(ALL);
        else return;
        event.preventDefault();
    });
    document.addEventListener("focusin", (event) => {
        if (event.target.className !== "picture") return;
        const picture = Picture.of(event.target), box = event.target.getBoundingClientRect();
        picture.add_buttons();
        if (!event.target.matches(":focus-visible")) return;
        attend(picture);
        const more = picture.grids.some((grid) => grid.frame) ? "\n+ and -: zoom, Enter: to a row, Escape: back" : "";
        if (picture.marks.length + picture.grids.length > 0) show_tip(`Arrow keys: values${more}`, box.left, box.top);
    });
    document.addEventListener("focusout", (event) => { if (pictures.has(event.target)) pictures.get(event.target).drop(); });
    for (const head of document.querySelectorAll("thead th")) head.tabIndex = 0;
    document.documentElement.classList.add("scripts");
})();
