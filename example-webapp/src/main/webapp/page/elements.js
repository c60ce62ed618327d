const SVG = 'http://www.w3.org/2000/svg';

/** An element of a drawing. */
export function draw(name, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [attribute, value] of Object.entries(attributes)) {
        element.setAttribute(attribute, value);
    }
    element.append(...children);
    return element;
}

/** An element of the page. */
export function html(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [attribute, value] of Object.entries(attributes)) {
        element.setAttribute(attribute, value);
    }
    element.append(...children);
    return element;
}

/** A row of a table, with its header. */
export function row(header, cells) {
    return html('tr', {}, html('th', {scope: 'row'}, header), ...cells.map(cell => html('td', {}, cell)));
}

/** The paths of the marks around a point; a dot is a line of no length with a round end. */
export const MARK = {
    admitted: (x, y) => `M${x} ${y}h0`,
    delayed: (x, y) => `M${x} ${y - 3.2}l3.2 3.2l-3.2 3.2l-3.2 -3.2Z`,
    rejected: (x, y) => `M${x - 2} ${y - 2}l4 4m0 -4l-4 4`,
    /** Where crosses would run into one another. */
    rejectedInACrowd: (x, y) => `M${x - 2} ${y}h4`,
};

/** One decimal is enough for the eye, and half the text. */
export function round(number) {
    return Math.round(number * 10) / 10;
}
