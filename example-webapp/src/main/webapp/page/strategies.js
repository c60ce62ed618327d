/** The endpoints below api/strategies: what each promises, and the members of its annotation, as in the source. */
export const STRATEGIES = [
    ['fixed-window', 'Fixed window', 'one full limit in each window, up to two across its edge', 'FIXED_WINDOW, limit = 10, window = "10s"'],
    ['sliding-window', 'Sliding window', 'nearly exact, with two counters', 'SLIDING_WINDOW, limit = 10, window = "10s"'],
    ['sliding-log', 'Sliding log', 'exact in every window', 'SLIDING_LOG, limit = 10, window = "10s"'],
    ['gcra', 'GCRA', 'a burst, then evenly spaced', 'GCRA, limit = 10, window = "10s"'],
    ['token-bucket', 'Token bucket', 'a burst, then as tokens drip in', 'TOKEN_BUCKET, limit = 10, window = "10s"'],
    ['token-bucket-interval', 'Token bucket, at intervals', 'a burst, then a refill each window',
        'TOKEN_BUCKET, refill = INTERVAL, limit = 10, window = "10s", burst = 20'],
    ['uniform', 'Uniform', 'evenly spaced, no bursts', 'UNIFORM, limit = 1, window = "1s"'],
    ['leaky-bucket', 'Leaky bucket', 'evenly spaced; the next ones wait for their turn', 'LEAKY_BUCKET, limit = 10, window = "10s", maxWait = "2s"'],
    ['concurrency', 'Concurrency', 'so many at the same time', 'CONCURRENCY, limit = 3'],
].map(([name, title, promise, members]) => ({
    name, title, promise, path: `strategies/${name}`,
    annotation: `@RateLimited(name = "${name}", key = "{user|ip}", algorithm = ${members})`,
}));

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
export function inWords({limit, capacity, windowMillis, maxWaitMillis}) {
    if (windowMillis === 0) {
        return `${limit} in flight`;
    }
    const rate = `${limit} per ${span(windowMillis)}`;
    if (maxWaitMillis > 0 && capacity > 1) {
        return `${rate}: 1 at once, ${capacity - 1} more wait up to ${span(maxWaitMillis)}`;
    }
    return capacity > limit ? `${rate}, ${capacity} back to back` : rate;
}

/** "10 s", "1.5 s", "250 ms". */
export function span(millis) {
    return millis >= 1000 ? `${Number((millis / 1000).toFixed(1))} s` : `${Number(millis.toFixed(0))} ms`;
}
