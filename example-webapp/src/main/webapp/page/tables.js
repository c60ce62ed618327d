import {html} from './elements.js';
import {span} from './strategies.js';

const LATEST = 50;

/**
 * The marks as tables: as of the moment one opens them, so that nothing changes while one reads.
 */
export class Tables {
    #details;
    #lanes;
    #marks;

    constructor(details, lanes, marks) {
        this.#details = details;
        this.#lanes = lanes;
        this.#marks = marks;
        details.addEventListener('toggle', () => details.open && this.#read());
        details.querySelector('#tables-again').addEventListener('click', () => this.#read());
    }

    #read() {
        this.#details.querySelector('#tables-as-of').textContent =
            `The last ${Math.round(this.#lanes.spanMillis / 1000)} s, as of ${time(this.#marks.now())}.`;
        this.#details.querySelector('#sums tbody').replaceChildren(...this.#lanes.all.map(lane =>
            row(lane.strategy.title, [...lane.sums.map(([, sum]) => sum), ...lane.readings])));
        const latest = this.#marks.all.slice(-LATEST).sort((one, other) => other.at - one.at);
        this.#details.querySelector('#latest tbody').replaceChildren(...latest.map(mark => row(time(mark.at), [
            mark.path,
            mark.user || 'no user',
            mark.fallback ? `${mark.outcome}, without Redis` : mark.outcome,
            mark.wait ? span(mark.wait) : '',
            mark.rejectedBy.join(', '),
            mark.id.replace(/-.*/, ''),
        ])));
    }
}

/** A row with its header. */
export function row(header, cells) {
    return html('tr', {}, html('th', {scope: 'row'}, header), ...cells.map(cell => html('td', {}, String(cell))));
}

function time(millis) {
    return new Date(millis).toISOString().slice(11, 23);
}
