import {send} from './client.js';
import {html, row} from './elements.js';
import {policies} from './strategies.js';

/** What an operator sees and does: who is rejected, a lower limit for a minute, forgiveness. */
export class Operators {
    #user;
    #changed;
    #news = document.getElementById('operators-news');
    #rows = document.querySelector('#hit tbody');

    /** @param user yields the user of the page; changed is called when limits have changed */
    constructor(user, changed) {
        this.#user = user;
        this.#changed = changed;
        document.getElementById('hit-again').addEventListener('click', () => this.read());
        this.read();
    }

    /** Asks whom all instances have rejected; takes them a second, in which the user may change. */
    async read() {
        const user = this.#user();
        const report = user === 'keeper' && await this.#ask('GET', 'rejected');
        if (user !== this.#user()) return;
        const callers = Object.entries(report?.lastTenMinutes ?? {})
            .flatMap(([policy, callers]) => callers.map(each => ({policy, ...each})))
            .sort((one, other) => other.rejected - one.rejected).slice(0, 5);
        this.#rows.replaceChildren(...callers.map(each => this.#row(each)));
        if (callers.length === 0) {
            this.#rows.append(row(report ? 'nobody' : user === 'keeper' ? 'not known' : 'only for the keeper', ['–', '–', '–']));
        }
    }

    /** Only the instance that has rejected a caller knows more of it than a digest. */
    #row({policy, caller, rejected}) {
        const who = 'partition' in caller ? 'of another instance' : Object.values(caller).join(', ');
        const button = (text, of, onclick) => Object.assign(
            html('button', {type: 'button', class: 'quiet', 'aria-label': `${text}: ${of}`}, text), {onclick});
        return row(policy, [who, rejected, html('span', {class: 'joined'},
            button('Halve for a minute', policy, () => this.#halve(policy)),
            ...'partition' in caller ? [] : [button('Forgive', `${who}, ${policy}`, () => this.#forgive(policy, caller))])]);
    }

    async #halve(policy) {
        const {limit} = (await policies([policy]).catch(() => new Map())).get(policy) ?? {limit: 2};
        const asked = {limit: Math.ceil(limit / 2), for: '1m', because: 'asked on the page'};
        if (await this.#ask('PUT', `policies/${encodeURIComponent(policy)}`, asked)) {
            this.#news.textContent = `For a minute, on all instances, the limit of ${policy} is ${asked.limit}.`;
            this.#changed();
            setTimeout(this.#changed, 61_000);
        }
    }

    async #forgive(policy, caller) {
        if (await this.#ask('DELETE', `callers/${encodeURIComponent(policy)}?${new URLSearchParams(caller)}`)) {
            this.#news.textContent = `Forgiven: ${Object.values(caller).join(', ')} has a full quota of ${policy}.`;
        }
    }

    /** What is answered; nothing if it was refused, which is said. */
    async #ask(method, path, json) {
        const {status, body} = await send(`api/limits/${path}`, this.#user(), method, {json});
        const told = body.startsWith('{') ? JSON.parse(body) : {};
        this.#news.textContent = status === 200 ? '' : told.detail ?? told.title ?? `The server answered ${status || 'nothing'}.`;
        return status === 200 ? told : null;
    }
}
