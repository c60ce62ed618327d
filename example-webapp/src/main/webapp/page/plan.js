import {send} from './client.js';
import {draw} from './elements.js';
import {policies} from './strategies.js';

const CELL = 14;
const CELLS_IN_A_ROW = 20;

/** Usage has no bound, and a drawing has. */
const MOST_CELLS = 60;

/** A monthly plan: what its user has used of it, and what is beyond it. */
export class Plan {
    #user;
    #answered;
    #say;
    #used = document.getElementById('plan-used');
    #cells = document.getElementById('plan-cells');
    #verdict = document.getElementById('plan-verdict');
    #limit = 0;

    /**
     * @param user yields the user to ask as
     * @param answered called with each answer
     * @param say called with a sentence
     */
    constructor(user, answered, say) {
        this.#user = user;
        this.#answered = answered;
        this.#say = say;
        this.#prepare();
    }

    async #prepare() {
        this.#limit = (await policies(['plan'])).get('plan').limit;
        document.getElementById('plan-limit').textContent = this.#limit;
        this.forget();
        document.getElementById('plan-one').addEventListener('click', () => this.#use(1));
        document.getElementById('plan-five').addEventListener('click', () => this.#use(5));
    }

    /** For another user, whose plan nothing is known of yet. */
    forget() {
        this.#used.textContent = '–';
        this.#used.parentElement.classList.remove('too-many');
        this.#verdict.textContent = 'Each request uses one.';
        this.#draw(0);
    }

    async #use(times) {
        const user = this.#user();
        const answers = await Promise.all(Array.from({length: times}, () => send('api/plan', user)));
        const served = answers.filter(answer => answer.status === 200);
        const latest = served.map(answer => ({...JSON.parse(answer.body), answer}))
            .reduce((one, other) => one && one.used > other.used ? one : other, null);
        this.#answered(latest?.answer ?? answers[0]);
        this.#say(`${times === 1 ? 'One request' : `${times} requests`}${user ? ` as ${user}` : ''}: ${served.length} answered 200.`);
        if (latest && user === this.#user()) {
            this.#show(latest);
        }
    }

    #show({used, exceeded, toBill, billingDay, secondsLeft}) {
        this.#used.textContent = used;
        this.#used.parentElement.classList.toggle('too-many', exceeded);
        this.#verdict.textContent = `${exceeded ? `${toBill} beyond the plan, to be billed` : 'Nothing to be billed'}. `
            + `Months begin on day ${billingDay}${ends(secondsLeft)}.`;
        this.#draw(used);
    }

    /** A cell for each included unit: empty, or filled; and one for each unit beyond. */
    #draw(used) {
        const count = Math.min(Math.max(2 * this.#limit, used), MOST_CELLS);
        this.#cells.setAttribute('viewBox', `0 0 ${CELLS_IN_A_ROW * CELL} ${Math.ceil(count / CELLS_IN_A_ROW) * CELL}`);
        this.#cells.setAttribute('aria-label', used ? `${used} used, ${this.#limit} included` : 'Nothing known yet');
        this.#cells.replaceChildren(...Array.from({length: Math.min(count, Math.max(this.#limit, used))}, (_, i) =>
            draw('rect', {
                x: i % CELLS_IN_A_ROW * CELL + 1.5, y: Math.floor(i / CELLS_IN_A_ROW) * CELL + 1.5,
                width: CELL - 3, height: CELL - 3, rx: 2.5,
                class: i >= this.#limit ? 'beyond' : i < used ? 'holds' : 'holds-none',
            })));
    }
}

/** When the month of an answer ends; the fields have no time once the plan is exceeded. */
function ends(secondsLeft) {
    return secondsLeft ? `; the present one ends in ${Math.ceil(secondsLeft / 86_400)} d` : '';
}
