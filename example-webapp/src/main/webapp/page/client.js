import {readings} from './fields.js';

/**
 * Sends one request and answers what came back, whatever it was.
 *
 * @param user one whose password is the name; empty for a request without a log-in
 * @param text the body, if there is one; or json, what it says
 * @param heard called with each line of a good answer as it comes, and the readings of its fields
 * @returns {line, status, outcome, retryAfter, fields, body, readings}; status 0 where there was
 *     no response
 */
export async function send(path, user, method = 'GET', {text, json, heard} = {}) {
    const line = `${method} ${path}${user ? ` as ${user}` : ''}`;
    try {
        const response = await fetch(path, {
            method,
            body: json ? JSON.stringify(json) : text,
            cache: 'no-store',
            credentials: 'omit',
            headers: {
                ...user && {Authorization: `Basic ${btoa(`${user}:${user}`)}`},
                ...json && {'Content-Type': 'application/json'},
            },
        });
        const said = readings(response.headers);
        const body = heard && response.ok ? await lines(response, line => heard(line, said)) : await response.text();
        return {
            line,
            status: response.status,
            outcome: outcome(response),
            retryAfter: response.headers.get('Retry-After'),
            fields: [...response.headers].map(([name, value]) => `${name}: ${value}`),
            body,
            readings: said,
        };
    } catch (failed) {
        return {line, status: 0, outcome: 'failed', fields: [], body: String(failed), readings: []};
    }
}

/** Reads a body, and tells of each line when it is there. */
async function lines(response, heard) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let body = '';
    let told = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        body += part.value;
        for (let end = body.indexOf('\n', told); end >= 0; end = body.indexOf('\n', told)) {
            heard(body.slice(told, end));
            told = end + 1;
        }
    }
    return body;
}

/** A held request says so in Server-Timing. */
function outcome(response) {
    if (response.ok) {
        return /(^|,\s*)ratelimit;/.test(response.headers.get('Server-Timing') ?? '') ? 'delayed' : 'admitted';
    }
    return response.status === 429 ? 'rejected' : 'failed';
}
