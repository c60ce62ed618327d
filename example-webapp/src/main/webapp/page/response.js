/** The last response: what came of it, its fields, and its body. */
export class LastResponse {
    #what = document.getElementById('last-what');
    #raw = document.getElementById('raw');
    #body = document.getElementById('body');

    show(answer) {
        this.#what.textContent = `${answer.line}: ${answer.status || 'no response'}, ${answer.outcome}`;
        this.#what.className = `said ${answer.outcome}`;
        this.#raw.textContent = [`HTTP ${answer.status}`, ...answer.fields].join('\n');
        this.#body.textContent = pretty(answer.body);
    }
}

function pretty(body) {
    try {
        return JSON.stringify(JSON.parse(body), null, 2);
    } catch (noJson) {
        return body;
    }
}
