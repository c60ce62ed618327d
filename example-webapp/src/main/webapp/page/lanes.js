import {draw, round} from './elements.js';
import {Lane} from './lane.js';
import {Timeline} from './timeline.js';
import {STRATEGIES, policies} from './strategies.js';

const CHOSEN_FIRST = ['fixed-window', 'sliding-log', 'gcra'];

/** All strategies below one another, on one time axis. */
export class Lanes {
    #timeline;
    #lanes;
    #marks;
    #filter = () => true;
    #scale;
    #still = matchMedia('(prefers-reduced-motion: reduce)');
    #drawnMillis = 0;

    /** @param element that the lanes go into, before its axis */
    constructor(element, marks) {
        this.#marks = marks;
        this.#timeline = new Timeline(marks.now());
        this.#scale = element.querySelector('.scale');
        this.#lanes = STRATEGIES.map(strategy => new Lane(strategy, this.#timeline));
        for (const lane of this.#lanes) {
            lane.choose(CHOSEN_FIRST.includes(lane.strategy.name));
            element.querySelector('.axis').before(lane.element);
        }
        new ResizeObserver(() => this.#resize()).observe(this.#scale);
        requestAnimationFrame(() => this.#frame());
        this.declare();
    }

    /** Shows the figures that are in force now. */
    async declare() {
        const figures = await policies(STRATEGIES.map(strategy => strategy.name));
        this.#lanes.forEach(lane => lane.declare(figures.get(lane.strategy.name)));
    }

    get chosen() {
        return this.#lanes.filter(lane => lane.isChosen).map(lane => lane.strategy);
    }

    choose(all) {
        this.#lanes.forEach(lane => lane.choose(all));
    }

    /** Shows only the marks that this says yes to. */
    filter(filter) {
        this.#filter = filter;
        this.show();
    }

    read(strategy, readings, sent) {
        this.#lanes.find(lane => lane.strategy === strategy)
            .read(readings.find(reading => reading.policy === strategy.name), sent);
    }

    /** What is on the axis. */
    show() {
        const from = this.#marks.now() - this.#timeline.spanMillis;
        const shown = this.#marks.all.filter(mark => mark.ran > from && this.#filter(mark));
        for (const lane of this.#lanes) {
            lane.show(shown.filter(mark => mark.path === lane.strategy.path));
        }
        this.#drawnMillis = performance.now();
    }

    #resize() {
        this.#timeline.width = this.#scale.clientWidth;
        this.#scale.replaceChildren(draw('svg', {width: this.#timeline.width, height: 18},
            ...this.#timeline.ticks.map(seconds => draw('text', {
                x: round(this.#timeline.ago(seconds)), y: 13, 'text-anchor': seconds === 0 ? 'end' : 'middle',
            }, seconds === 0 ? 'now' : `−${seconds} s`))));
        this.#lanes.forEach(lane => lane.resize());
        this.#shift();
    }

    /**
     * Each second, what has left the axis goes; in between, everything moves, unless one wants it
     * still.
     */
    #frame() {
        const isDue = performance.now() - this.#drawnMillis > 1000;
        if (isDue) {
            this.show();
        }
        if (isDue || !this.#still.matches) {
            this.#shift();
        }
        requestAnimationFrame(() => this.#frame());
    }

    #shift() {
        const pixels = this.#timeline.shift(this.#marks.now());
        this.#lanes.forEach(lane => lane.shift(pixels));
    }
}
