import {readings} from './fields.js';

/**
 * Sends one request and answers what came back, whatever it was.
 *
 * @param user one whose password is the name; empty for a request without a log-in
 * @returns {line, status, outcome, fields, body, readings}; status 0 where there was no response
 */
export async function send(path, user, method = 'GET') {
    const line = `${method} ${path}${user ? ` as ${user}` : ''}`;
    try {
        const response = await fetch(path, {
            method,
            cache: 'no-store',
            credentials: 'omit',
            headers: user ? {Authorization: `Basic ${btoa(`${user}:${user}`)}`} : {},
        });
        const body = await response.text();
        return {
            line,
            status: response.status,
            outcome: outcome(response),
            fields: [...response.headers].map(([name, value]) => `${name}: ${value}`),
            body,
            readings: readings(response.headers),
        };
    } catch (failed) {
        return {line, status: 0, outcome: 'failed', fields: [], body: String(failed), readings: []};
    }
}

/** A held request says so in Server-Timing. */
function outcome(response) {
    if (response.ok) {
        return /(^|,\s*)ratelimit;/.test(response.headers.get('Server-Timing') ?? '') ? 'delayed' : 'admitted';
    }
    return response.status === 429 ? 'rejected' : 'failed';
}
