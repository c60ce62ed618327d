import {send} from './client.js';
import {policies, span} from './strategies.js';
import {Office} from './office.js';

const OFFICES = [
    {path: 'tiger-feeding/gate', title: 'A gate for each guest'},
    {path: 'tiger-feeding/window', title: 'A window for the show'},
    {path: 'tiger-feeding/both', title: 'Both'},
];
const ARRIVALS_MILLIS = 6000;
const IMPATIENCE_MILLIS = 250;
const MARKS_MILLIS = 5000;

/** The page knows the server's clock only so well. */
const SLACK_MILLIS = 250;

/**
 * Twice as many guests as tickets, at three offices: what each sells, when, and to whom, as the
 * server has recorded it.
 */
export class Experiment {
    #marks;
    #button = document.getElementById('feed');
    #news = document.getElementById('feeding-news');
    #offices = [];
    #tickets = 0;
    #windowMillis = 0;
    #began = null;
    #ended = Infinity;
    #running = false;

    constructor(marks) {
        this.#marks = marks;
        this.#prepare();
    }

    async #prepare() {
        const figures = await policies(['gate', 'feeding']);
        const {limit, windowMillis} = figures.get('feeding');
        this.#tickets = limit;
        this.#windowMillis = windowMillis;
        document.getElementById('feeding-tickets').textContent = limit;
        document.getElementById('feeding-guests').textContent = 2 * limit;
        document.getElementById('feeding-window').textContent = span(windowMillis);
        this.#offices = OFFICES.map(office => new Office(office, limit, windowMillis));
        document.getElementById('offices').replaceChildren(...this.#offices.map(office => office.element));
        this.#button.addEventListener('click', () => this.#run());
    }

    get isBusy() {
        return this.#running;
    }

    /** Shows what has come. */
    show() {
        if (this.#began !== null) {
            for (const office of this.#offices) {
                office.show(this.#marksOf(office), this.#began);
            }
        }
    }

    #marksOf(office) {
        return this.#marks.all.filter(mark => mark.path === office.path && mark.at >= this.#began && mark.at < this.#ended);
    }

    async #run() {
        if (this.#running) {
            return;
        }
        this.#running = true;
        this.#button.setAttribute('aria-disabled', 'true');
        this.#button.textContent = 'The offices are open';
        this.#news.textContent = `${2 * this.#tickets} guests are coming.`;
        this.#began = this.#marks.now() - SLACK_MILLIS;
        this.#ended = Infinity;
        this.#offices.forEach(office => office.open());
        const answers = (await Promise.all(shuffled(2 * this.#tickets).map((guest, place) =>
            this.#visit(`guest-${guest}`, place / (2 * this.#tickets) * ARRIVALS_MILLIS)))).flat(2);
        await this.#recorded(answers.length);
        this.#ended = this.#marks.now() + SLACK_MILLIS;
        this.#offices.forEach(office => office.close());
        this.#news.textContent = this.#offices.map(office => office.inShort).join(' ');
        await this.#windowsEnd();
        this.#button.textContent = 'Open the offices again';
        this.#button.removeAttribute('aria-disabled');
        this.#running = false;
    }

    /** To each office, twice. */
    async #visit(guest, arrivesAfterMillis) {
        await sleep(arrivesAfterMillis);
        const first = this.#ask(guest);
        await sleep(IMPATIENCE_MILLIS);
        const second = this.#ask(guest);
        return [await first, await second];
    }

    #ask(guest) {
        return Promise.all(OFFICES.map(office => send(`api/${office.path}`, guest, 'POST')));
    }

    /**
     * All that was answered is recorded, too, a moment later; not for ever, since marks may get
     * lost.
     */
    async #recorded(answers) {
        const until = performance.now() + MARKS_MILLIS;
        const count = () => this.#offices.reduce((sum, office) => sum + this.#marksOf(office).length, 0);
        while (count() < answers && performance.now() < until) {
            this.#marks.soon();
            await sleep(100);
        }
        this.show();
    }

    /** What was spent is spent until then. */
    async #windowsEnd() {
        const last = Math.max(this.#began, ...this.#offices.flatMap(office => this.#marksOf(office).map(mark => mark.at)));
        const left = () => last + this.#windowMillis - this.#marks.now();
        while (left() > 0) {
            this.#button.textContent = `Open again in ${Math.ceil(left() / 1000)} s`;
            await sleep(200);
        }
    }
}

/** 1 to {@code count}, in any order. */
function shuffled(count) {
    const numbers = Array.from({length: count}, (_, i) => i + 1);
    for (let i = count - 1; i > 0; i--) {
        const j = Math.floor(Math.random() * (i + 1));
        [numbers[i], numbers[j]] = [numbers[j], numbers[i]];
    }
    return numbers;
}

function sleep(millis) {
    return new Promise(resolve => setTimeout(resolve, millis));
}
