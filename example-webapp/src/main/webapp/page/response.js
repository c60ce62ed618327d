import {row} from './tables.js';

/** The last response: what it says of its limits, its fields as they came, and its body. */
export class LastResponse {
    #what = document.getElementById('last-what');
    #readings = document.querySelector('#readings tbody');
    #raw = document.getElementById('raw');
    #body = document.getElementById('body');

    show(answer) {
        this.#what.textContent = `${answer.line}: ${answer.status || 'no response'}, ${answer.outcome}`;
        this.#what.className = `said ${answer.outcome}`;
        this.#raw.textContent = [`HTTP ${answer.status}`, ...answer.fields].join('\n');
        this.#body.textContent = pretty(answer.body);
        this.#readings.replaceChildren(...answer.readings.map(({policy, quota, unit, window, remaining, reset}) => row(policy, [
            unit === 'requests' ? quota : `${quota} in flight`,
            seconds(window),
            remaining ?? '–',
            seconds(reset),
        ])));
        if (answer.readings.length === 0) {
            this.#readings.append(row('nothing is claimed', ['–', '–', '–', '–']));
        }
    }
}

function seconds(count) {
    return count === undefined ? '–' : `${count} s`;
}

function pretty(body) {
    try {
        return JSON.stringify(JSON.parse(body), null, 2);
    } catch (noJson) {
        return body;
    }
}
