import {draw, html, MARK, round} from './elements.js';
import {Timeline} from './timeline.js';
import {inWords} from './strategies.js';

const HEIGHT = 84;
const BASE = 50;
const PITCH = 5.6;
const CROWDED_PITCH = 4.6;
const OUTCOMES = ['admitted', 'delayed', 'rejected'];

/**
 * One strategy: whether requests go to it, its marks on the time axis, and what the last response
 * said of its limit.
 */
export class Lane {
    #timeline;
    #marks = [];
    #paths = {};
    #moving = draw('g');
    #trails = draw('path', {class: 'trails'});
    #grid = draw('g', {class: 'grid'});
    #band = draw('rect', {class: 'band', y: 0, height: HEIGHT});
    #chart = draw('svg', {class: 'chart', role: 'img', height: HEIGHT});
    #rule = html('span', {class: 'rule'});
    #count = html('span', {class: 'count', 'aria-hidden': 'true'});
    #values = {};
    #meter = html('meter', {min: 0, hidden: '', 'aria-hidden': 'true'});
    #windowSeconds = 0;
    #readMillis = 0;

    constructor(strategy, timeline) {
        this.strategy = strategy;
        this.#timeline = timeline;
        this.#moving.append(this.#trails);
        for (const outcome of OUTCOMES) {
            this.#paths[outcome] = draw('path', {class: outcome});
            this.#moving.append(this.#paths[outcome]);
        }
        this.#chart.append(this.#band, this.#grid, this.#moving);
        this.checkbox = html('input', {type: 'checkbox', name: 'strategy', value: strategy.name});
        this.element = html('article', {class: 'lane', 'data-strategy': strategy.name},
            html('label', {class: 'who'}, this.checkbox,
                html('span', {}, html('span', {class: 'title'}, strategy.title),
                    html('span', {class: 'promise'}, strategy.promise), this.#rule, this.#count)),
            html('code', {class: 'annotation'}, strategy.annotation),
            html('div', {class: 'plot'}, this.#chart),
            this.#readings());
        this.checkbox.addEventListener('change', () => this.#choose());
        this.#choose();
    }

    #readings() {
        const list = html('dl', {class: 'readings'});
        for (const name of ['remaining', 'window', 'reset']) {
            this.#values[name] = html('dd', {class: name}, '–');
            list.append(html('div', {}, html('dt', {}, name), this.#values[name]));
        }
        this.#values.remaining.after(this.#meter);
        return list;
    }

    get isChosen() {
        return this.checkbox.checked;
    }

    choose(chosen) {
        this.checkbox.checked = chosen;
        this.#choose();
    }

    #choose() {
        this.element.classList.toggle('chosen', this.checkbox.checked);
    }

    /** The figures in force. */
    declare(policy) {
        this.#rule.textContent = inWords(policy);
    }

    /** What the latest response said, or did not; none that a later one of the same burst has overtaken. */
    read(reading, sent) {
        const {quota, unit, window, remaining, reset} = reading ?? {};
        if (sent < this.#readMillis && remaining > this.#meter.value) return;
        this.#readMillis = performance.now();
        const soon = unit === 'concurrent-requests' ? 'as one ends' : '< 1 s';
        const say = (name, text) => this.#values[name].replaceChildren(text);
        say('remaining', remaining === undefined ? '–' : `${remaining} of ${quota}`);
        say('window', window !== undefined ? `${window} s` : unit === 'concurrent-requests' ? 'in flight' : '–');
        say('reset', remaining === undefined ? '–' : reset === undefined ? soon : `${reset} s`);
        this.#meter.hidden = remaining === undefined;
        this.#meter.max = quota ?? 1;
        this.#meter.value = remaining ?? 0;
        this.#windowSeconds = window ?? 0;
        this.#drawBand();
    }

    resize() {
        this.#chart.setAttribute('width', this.#timeline.width);
        this.#grid.replaceChildren(
            draw('path', {d: `M0 ${BASE + 0.5}H${this.#timeline.width}`}),
            draw('path', {class: 'ticks', d: this.#timeline.ticks.map(seconds =>
                `M${round(this.#timeline.ago(seconds))} 0V${HEIGHT}`).join('')}));
        this.#drawBand();
        this.show(this.#marks);
    }

    #drawBand() {
        const left = Math.max(0, this.#timeline.ago(this.#windowSeconds));
        this.#band.setAttribute('x', left);
        this.#band.setAttribute('width', this.#windowSeconds ? Math.max(0, this.#timeline.ago(0) - left) : 0);
    }

    /** Shows these marks, of this strategy and on the axis. */
    show(marks) {
        this.#marks = marks;
        this.element.classList.toggle('marked', marks.length > 0);
        const above = columns(marks.filter(mark => mark.outcome !== 'rejected'));
        const below = columns(marks.filter(mark => mark.outcome === 'rejected'));
        const d = {admitted: '', delayed: '', rejected: '', trails: ''};
        this.#stack(above, BASE - 5, -1, BASE - 8, (mark, x, y) => {
            d[mark.outcome] += MARK[mark.outcome](x, y);
            if (mark.outcome === 'delayed') {
                d.trails += `M${round(this.#timeline.x(mark.at))} ${y}H${x}`;
            }
        });
        this.#stack(below, BASE + 6, 1, HEIGHT - BASE - 10, (mark, x, y, pitch) => {
            d.rejected += pitch < CROWDED_PITCH ? MARK.rejectedInACrowd(x, y) : MARK.rejected(x, y);
        });
        for (const outcome of OUTCOMES) {
            this.#paths[outcome].setAttribute('d', d[outcome]);
        }
        this.#trails.setAttribute('d', d.trails);
        const said = OUTCOMES.map(outcome => [marks.filter(mark => mark.outcome === outcome).length, outcome])
            .filter(([sum]) => sum > 0).map(sum => sum.join(' ')).join(', ');
        this.#count.textContent = said;
        this.#chart.setAttribute('aria-label', `${this.strategy.title}, the last ${Math.round(this.#timeline.spanMillis / 1000)} s: ${said || 'no marks'}`);
    }

    /** Columns from the base line on; the marks of one that would not fit stand closer. */
    #stack(columns, base, direction, room, mark) {
        for (const [column, marks] of columns) {
            const pitch = Math.min(PITCH, room / Math.max(1, marks.length - 1));
            const x = round(this.#timeline.columnX(column * Timeline.COLUMN_MILLIS));
            marks.forEach((each, height) => mark(each, x, round(base + direction * height * pitch), pitch));
        }
    }

    shift(pixels) {
        this.#moving.setAttribute('transform', `translate(${round(pixels)} 0)`);
    }
}

/** By the number of the column; a mark stands where its request ran. */
function columns(marks) {
    const columns = new Map();
    for (const mark of marks) {
        const column = Math.floor(mark.ran / Timeline.COLUMN_MILLIS);
        columns.set(column, [...columns.get(column) ?? [], mark]);
    }
    return columns;
}
