import {send} from './client.js';
import {html, row} from './elements.js';
import {inWords, policies} from './strategies.js';

const KEEPER = 'keeper';

/** What an operator sees and does: who is rejected, a lower limit for a minute, forgiveness. */
export class Operators {
    #user;
    #changed;
    #news = document.getElementById('operators-news');
    #rows = document.querySelector('#hit tbody');

    /**
     * @param user yields the user of the page
     * @param changed called when limits have changed
     */
    constructor(user, changed) {
        this.#user = user;
        this.#changed = changed;
        document.getElementById('hit-again').addEventListener('click', () => this.read());
        this.read();
    }

    /** Asks whom all instances have rejected; takes them a second. */
    async read() {
        const report = this.#user() === KEEPER ? await this.#ask('GET', 'rejected') : {lastTenMinutes: {}};
        const callers = Object.entries(report?.lastTenMinutes ?? {})
            .flatMap(([policy, callers]) => callers.map(each => ({policy, ...each})))
            .sort((one, other) => other.rejected - one.rejected).slice(0, 5);
        this.#rows.replaceChildren(...callers.map(each => this.#row(each)));
        if (callers.length === 0) {
            this.#rows.append(row(this.#user() === KEEPER ? 'nobody' : 'only for the keeper', ['–', '–', '–']));
        }
    }

    #row({policy, caller, rejected}) {
        const who = Object.values(caller).join(', ');
        const button = (text, label) => html('button', {type: 'button', class: 'quiet', 'aria-label': label}, text);
        const lower = button('Halve for a minute', `Halve the limit for a minute: ${policy}`);
        const forgive = button('Forgive', `Forgive ${who}: ${policy}`);
        lower.addEventListener('click', () => this.#halve(policy));
        forgive.addEventListener('click', () => this.#forgive(policy, caller));
        return row(policy, [who, rejected, html('span', {class: 'joined'}, lower, forgive)]);
    }

    async #halve(policy) {
        const {limit} = (await policies([policy])).get(policy);
        if (await this.#ask('PUT', `policies/${policy}`, {limit: Math.ceil(limit / 2), for: '1m', because: 'asked on the page'})) {
            this.#news.textContent = `For a minute, on all instances, ${policy} is ${inWords((await policies([policy])).get(policy))}.`;
            this.#changed();
            setTimeout(this.#changed, 61_000);
        }
    }

    async #forgive(policy, caller) {
        const told = await this.#ask('DELETE', `callers/${policy}?${new URLSearchParams(caller)}`);
        if (told) {
            this.#news.textContent = `Forgiven: ${Object.values(caller).join(', ')} has used ${told.used} of ${policy}.`;
        }
    }

    /** What is answered; nothing if it was refused, which is said. */
    async #ask(method, path, json) {
        const {status, body} = await send(`api/limits/${path}`, this.#user(), method, {json});
        const told = body.startsWith('{') ? JSON.parse(body) : {};
        this.#news.textContent = status === 200 ? '' : `${status}: ${told.detail ?? told.title ?? 'only the keeper may'}`;
        return status === 200 ? told : null;
    }
}
