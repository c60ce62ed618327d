/**
 * The endpoints below api/strategies, in the order in which they are shown; their figures are
 * asked of the server.
 */
export const STRATEGIES = [
    {name: 'fixed-window', title: 'Fixed window'},
    {name: 'sliding-window', title: 'Sliding window'},
    {name: 'sliding-log', title: 'Sliding log'},
    {name: 'gcra', title: 'GCRA'},
    {name: 'token-bucket', title: 'Token bucket'},
    {name: 'token-bucket-interval', title: 'Token bucket, at intervals'},
    {name: 'uniform', title: 'Uniform'},
    {name: 'leaky-bucket', title: 'Leaky bucket'},
    {name: 'concurrency', title: 'Concurrency'},
].map(strategy => ({...strategy, path: `strategies/${strategy.name}`}));

/** The figures in force of some policies, by name. */
export async function policies(names) {
    const query = names.map(name => `name=${encodeURIComponent(name)}`).join('&');
    const response = await fetch(`api/policies?${query}`, {cache: 'no-store'});
    if (!response.ok) {
        throw new Error(`api/policies answered ${response.status}`);
    }
    return new Map((await response.json()).map(policy => [policy.name, policy]));
}

/** "10 per 10 s, 20 back to back": a limit in words. */
export function inWords(policy) {
    if (policy.windowMillis === 0) {
        return `${policy.limit} in flight`;
    }
    const rate = `${policy.limit} per ${span(policy.windowMillis)}`;
    if (policy.maxWaitMillis > 0) {
        return `${rate}, held up to ${span(policy.maxWaitMillis)}`;
    }
    return policy.capacity > policy.limit ? `${rate}, ${policy.capacity} back to back` : rate;
}

/** "10 s", "1.5 s", "250 ms". */
export function span(millis) {
    return millis >= 1000 ? `${Number((millis / 1000).toFixed(1))} s` : `${Number(millis.toFixed(0))} ms`;
}
