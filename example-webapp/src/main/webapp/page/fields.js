/**
 * Reads the RateLimit fields of draft 11: lists of strings with parameters (structured fields, RFC
 * 9651), such as "buyer";q=1;w=10, "show";q=100;w=10. Of values it knows strings and whole
 * numbers, which is all the draft uses here.
 *
 * @returns an array of {name, parameters: Map}; empty for a field that is not there
 * @throws Error for what is no such list
 */
export function list(field) {
    const items = [];
    let rest = (field ?? '').trim();
    while (rest !== '') {
        let name;
        [name, rest] = text(rest);
        const parameters = new Map();
        let match;
        while ((match = /^; *([a-z*][a-z0-9_.*-]*)=/.exec(rest))) {
            rest = rest.slice(match[0].length);
            let value;
            [value, rest] = rest.startsWith('"') ? text(rest) : number(rest);
            parameters.set(match[1], value);
        }
        items.push({name, parameters});
        match = /^[ \t]*(?:,[ \t]*(?=")|$)/.exec(rest);
        if (!match) {
            throw new Error(`not a list of policies: ${field}`);
        }
        rest = rest.slice(match[0].length);
    }
    return items;
}

/**
 * What a response says of each policy: {policy, quota, unit, window, remaining, reset}; undefined
 * is what it does not say.
 */
export function readings(headers) {
    const limits = new Map(list(headers.get('RateLimit')).map(item => [item.name, item.parameters]));
    return list(headers.get('RateLimit-Policy')).map(({name, parameters}) => ({
        policy: name,
        quota: parameters.get('q'),
        unit: parameters.get('qu') ?? 'requests',
        window: parameters.get('w'),
        remaining: limits.get(name)?.get('r'),
        reset: limits.get(name)?.get('t'),
    }));
}

function text(input) {
    const match = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/.exec(input);
    if (!match) {
        throw new Error(`not a string: ${input}`);
    }
    return [match[1].replace(/\\(.)/g, '$1'), input.slice(match[0].length)];
}

function number(input) {
    const match = /^-?\d{1,15}/.exec(input);
    if (!match) {
        throw new Error(`not a whole number: ${input}`);
    }
    return [Number(match[0]), input.slice(match[0].length)];
}
