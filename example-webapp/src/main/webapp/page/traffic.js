import {send} from './client.js';

/**
 * More than this many unanswered, and a steady rate pauses: the browser, not the server, would be
 * the queue.
 */
const MOST_UNANSWERED = 60;
const REPORT_MILLIS = 10_000;

/** Sends requests to several strategies side by side, and says what came of them. */
export class Traffic {
    #answered;
    #say;
    #unanswered = 0;
    #steady = null;

    /**
     * @param answered called with (strategy, answer, when it was sent) for each answer
     * @param say called with a sentence, now and then
     */
    constructor(answered, say) {
        this.#answered = answered;
        this.#say = say;
    }

    get isSteady() {
        return this.#steady !== null;
    }

    get isBusy() {
        return this.isSteady || this.#unanswered > 0;
    }

    /** So many to each, at once; says what came of them when all are answered. */
    async burst(strategies, user, size) {
        const sums = new Sums();
        await Promise.all(strategies.flatMap(strategy =>
            Array.from({length: size}, () => this.#one(strategy, user, sums))));
        this.#say(`${size === 1 ? 'One request' : `A burst of ${size}`}${user ? ` as ${user}` : ''}. ${sums}`);
    }

    /** So many a second to each, until {@link stop}. */
    start(strategies, user, perSecond) {
        const sums = new Sums();
        const tick = () => {
            for (const strategy of strategies()) {
                if (this.#unanswered < MOST_UNANSWERED && !document.hidden) {
                    this.#one(strategy, user(), sums);
                }
            }
        };
        this.#steady = {
            sums,
            ticking: setInterval(tick, 1000 / perSecond),
            reporting: setInterval(() => this.#say(`So far: ${sums}`), REPORT_MILLIS),
        };
        this.#say(`Sending ${perSecond} a second.`);
        tick();
    }

    stop() {
        clearInterval(this.#steady.ticking);
        clearInterval(this.#steady.reporting);
        this.#say(`Stopped. ${this.#steady.sums}`);
        this.#steady = null;
    }

    async #one(strategy, user, sums) {
        this.#unanswered++;
        const sent = performance.now();
        try {
            const answer = await send(`api/${strategy.path}`, user);
            sums.add(strategy, answer);
            this.#answered(strategy, answer, sent);
        } finally {
            this.#unanswered--;
        }
    }
}

/** How many of each outcome, by strategy, as a sentence. */
class Sums {
    #of = new Map();

    add(strategy, {outcome}) {
        const counts = this.#of.get(strategy.title) ?? new Map();
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
        this.#of.set(strategy.title, counts);
    }

    toString() {
        return [...this.#of].map(([title, counts]) =>
            `${title}: ${['admitted', 'delayed', 'rejected', 'failed']
                .filter(outcome => counts.has(outcome))
                .map(outcome => `${counts.get(outcome)} ${outcome}`)
                .join(', ')}.`).join(' ');
    }
}
