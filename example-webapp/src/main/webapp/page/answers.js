import {send} from './client.js';
import {html} from './elements.js';
import {policies} from './strategies.js';

const AT_ONCE = 3;
const KEPT_ROWS = 6;

/** Questions that are paid by the token: what each is charged at first, and what comes back. */
export class Answers {
    #user;
    #answered;
    #say;
    #question = document.getElementById('question');
    #left = document.getElementById('tokens-left');
    #meter = document.getElementById('tokens-meter');
    #text = document.getElementById('answer');
    #rows = document.querySelector('#settlements tbody');

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
        this.#meter.max = (await policies(['tokens'])).get('tokens').limit;
        document.getElementById('tokens-limit').textContent = this.#meter.max;
        document.getElementById('question-form').addEventListener('submit', event => {
            event.preventDefault();
            this.#ask(event.submitter?.id === 'ask-three' ? AT_ONCE : 1);
        });
    }

    /** For another user, of whose tokens nothing is known yet. */
    forget() {
        this.#left.textContent = '–';
        this.#meter.value = 0;
    }

    async #ask(times) {
        this.#text.textContent = '';
        const said = await Promise.all(Array.from({length: times}, () => this.#one()));
        this.#say(said.join(' '));
    }

    /** Says what became of it. */
    async #one() {
        const user = this.#user();
        const row = html('tr');
        this.#rows.prepend(row);
        [...this.#rows.children].slice(KEPT_ROWS).forEach(old => old.remove());
        let estimate;
        let text = '';
        let end;
        const answer = await send('api/answers', user, 'POST', {
            text: this.#question.value,
            heard: (line, readings) => {
                const said = JSON.parse(line);
                if ('estimate' in said) {
                    estimate = said.estimate;
                    fill(row, [estimate, '…', '…', '…']);
                    this.#know(user, readings.find(reading => reading.policy === 'tokens')?.remaining);
                } else if ('text' in said) {
                    text += said.text;
                    this.#text.textContent = text;
                } else {
                    end = said;
                }
            },
        });
        this.#answered(answer);
        if (!end) {
            fill(row, [answer.outcome, '–', '–', '–']);
            return `${answer.outcome === 'rejected' ? `Rejected: again in ${answer.retryAfter} s` : `Failed: ${answer.status || 'no response'}`}.`;
        }
        fill(row, [estimate, end.used, estimate - end.used, end.left]);
        this.#know(user, end.left);
        return `Estimated ${estimate} tokens, used ${end.used}: ${estimate - end.used} come back.`;
    }

    /** An answer to a user that was chosen before says nothing of the present one. */
    #know(user, left) {
        if (user === this.#user() && left !== undefined) {
            this.#left.textContent = left;
            this.#meter.value = left;
        }
    }
}

function fill(row, cells) {
    row.replaceChildren(...cells.map(cell => html('td', {}, String(cell))));
}
