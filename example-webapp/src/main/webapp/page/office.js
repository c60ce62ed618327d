import {draw, html, MARK, round} from './elements.js';

const WIDTH = 300;
const HEIGHT = 150;
const LEFT = 26;
const BASE = 112;
const TOP = 14;
const CELL = 14;
const CELLS_IN_A_ROW = 20;

/** One office of the experiment: how many tickets it has sold, when, and to whom. */
export class Office {
    #tickets;
    #windowMillis;
    #sold = html('b', {}, '0');
    #chart = draw('svg', {class: 'sales', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'Nothing sold yet'});
    #steps = draw('path', {class: 'steps'});
    #refused = draw('path', {class: 'rejected'});
    #guests = draw('svg', {class: 'guests', role: 'img', 'aria-label': 'No guests yet'});
    #verdict = html('p', {class: 'verdict'}, 'Closed.');

    constructor({path, title}, tickets, windowMillis) {
        this.path = path;
        this.#tickets = tickets;
        this.#windowMillis = windowMillis;
        this.title = title;
        this.#drawAxes();
        this.#drawGuests(new Map());
        this.element = html('article', {class: 'office', 'data-path': path},
            html('h3', {}, title),
            html('p', {class: 'sold'}, this.#sold, ` sold of ${tickets}`),
            this.#chart,
            html('h4', {}, `To whom: ${2 * tickets} guests`),
            this.#guests,
            this.#verdict);
    }

    open() {
        this.#verdict.textContent = 'Open.';
    }

    /** Shows marks of this office, from the instant on at which it was opened. */
    show(marks, began) {
        const sold = marks.filter(mark => mark.outcome === 'admitted').sort((one, other) => one.at - other.at);
        const refused = marks.filter(mark => mark.outcome === 'rejected');
        const x = mark => round(this.#x((mark.at - began)));
        this.#sold.textContent = sold.length;
        this.#sold.parentElement.classList.toggle('too-many', sold.length > this.#tickets);
        this.#steps.setAttribute('d', `M${LEFT} ${this.#y(0)}`
            + sold.map((mark, i) => `H${x(mark)}V${this.#y(i + 1)}`).join('')
            + (marks.length ? `H${x(marks.reduce((one, other) => one.at > other.at ? one : other))}` : ''));
        this.#refused.setAttribute('d', refused.map(mark => MARK.rejected(x(mark), BASE + 9)).join(''));
        const held = new Map();
        for (const mark of sold) {
            held.set(mark.user, (held.get(mark.user) ?? 0) + 1);
        }
        this.#drawGuests(held);
        this.#describe(sold, refused, held, began);
    }

    /** Says what it comes to. */
    close() {
        this.#verdict.textContent = this.#outcome;
    }

    /** "Both: 20 of 20 sold." */
    get inShort() {
        return `${this.title}: ${this.#sold.textContent} of ${this.#tickets} sold.`;
    }

    #describe(sold, refused, held, began) {
        const many = held.size - [...held.values()].filter(tickets => tickets === 1).length;
        const none = 2 * this.#tickets - held.size;
        const holders = `${held.size} guests hold ${many ? `tickets, ${many} of them several` : 'one ticket each'}${none ? `; ${none} have none` : ''}.`;
        const over = sold.length - this.#tickets;
        const last = over < 0 ? 0 : (sold[this.#tickets - 1].at - began) / 1000;
        const tickets = over < 0 ? `Sold ${sold.length} of ${this.#tickets}.`
            : over > 0 ? `Sold ${over} more than there are; the last there was after ${last.toFixed(1)} s.`
                : `Sold all there are, the last after ${last.toFixed(1)} s.`;
        this.#outcome = `${tickets} ${holders}`;
        this.#chart.setAttribute('aria-label', `Tickets over time. ${tickets} ${refused.length} requests were rejected.`);
        this.#guests.setAttribute('aria-label', holders);
    }

    #outcome = '';

    #x(millis) {
        return LEFT + Math.min(1, millis / this.#windowMillis) * (WIDTH - LEFT - 8);
    }

    /** There may be as many buyers as guests, twice the tickets. */
    #y(count) {
        return round(BASE - Math.min(1.05, count / (2 * this.#tickets)) * (BASE - TOP));
    }

    #drawAxes() {
        const seconds = this.#windowMillis / 1000;
        const label = (x, y, text, anchor) => draw('text', {x, y, 'text-anchor': anchor}, text);
        this.#chart.append(
            draw('path', {class: 'axis', d: `M${LEFT} ${BASE + 0.5}H${WIDTH - 8}`}),
            draw('path', {class: 'limit', d: `M${LEFT} ${this.#y(this.#tickets)}H${WIDTH - 8}`}),
            label(LEFT - 5, this.#y(this.#tickets) + 4, this.#tickets, 'end'),
            label(LEFT - 5, BASE + 4, 0, 'end'),
            ...[0, 0.5, 1].map(part => label(this.#x(part * this.#windowMillis), HEIGHT - 8, `${part * seconds} s`,
                part === 1 ? 'end' : part === 0 ? 'start' : 'middle')),
            this.#steps, this.#refused);
    }

    /**
     * A cell for each guest: empty, or filled, or with the number of tickets if these are several.
     */
    #drawGuests(held) {
        const guests = 2 * this.#tickets;
        const rows = Math.ceil(guests / CELLS_IN_A_ROW);
        this.#guests.setAttribute('viewBox', `0 0 ${CELLS_IN_A_ROW * CELL} ${rows * CELL}`);
        this.#guests.replaceChildren(...Array.from({length: guests}, (_, i) => {
            const tickets = held.get(`guest-${i + 1}`) ?? 0;
            const x = i % CELLS_IN_A_ROW * CELL;
            const y = Math.floor(i / CELLS_IN_A_ROW) * CELL;
            const cell = draw('rect', {x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 2.5,
                class: tickets > 1 ? 'several' : tickets ? 'holds' : 'holds-none'});
            return tickets > 1
                ? draw('g', {}, cell, draw('text', {x: x + CELL / 2, y: y + CELL - 4, 'text-anchor': 'middle'}, tickets))
                : cell;
        }));
    }
}
