const QUICK_MILLIS = 300;
const SLOW_MILLIS = 1500;
const KEPT = 5000;

/** What the server has recorded, read again and again, and the server's clock. */
export class Marks {
    #all = [];
    #known = new Set();
    #since = null;
    #source = null;
    #listener;
    #isBusy;
    #skewMillis = 0;
    #timer = 0;
    #reading = false;
    #clearedMillis = 0;

    /**
     * @param listener told of new marks, and of changes of the source: ({source, lost})
     * @param isBusy whether marks are to be expected
     */
    constructor(listener, isBusy) {
        this.#listener = listener;
        this.#isBusy = isBusy;
        document.addEventListener('visibilitychange', () => this.soon());
    }

    /**
     * All marks that are kept, oldest first: {id, path, user, outcome, at, ran, wait, rejectedBy,
     * fallback}, in ms of the server's clock.
     */
    get all() {
        return this.#all;
    }

    /** ms since 1970, by the clock that decides. */
    now() {
        return performance.timeOrigin + performance.now() + this.#skewMillis;
    }

    /** Forgets what is there, on this page only. */
    clear() {
        this.#clearedMillis = this.now();
        this.#all = [];
        this.#listener({});
    }

    /** Reads without waiting for its turn. */
    soon() {
        clearTimeout(this.#timer);
        if (!document.hidden && !this.#reading) {
            this.#read();
        }
    }

    async #read() {
        this.#reading = true;
        let more = false;
        try {
            more = await this.#page();
        } catch (failed) {
            this.#source = null;
            this.#listener({source: 'SILENT'});
        } finally {
            this.#reading = false;
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.soon(), more ? 0 : this.#isBusy() ? QUICK_MILLIS : SLOW_MILLIS);
        }
    }

    async #page() {
        const asked = performance.now();
        const response = await fetch(`api/marks${this.#since ? `?since=${this.#since}` : ''}`, {cache: 'no-store', priority: 'high'});
        if (!response.ok) {
            throw new Error(`api/marks answered ${response.status}`);
        }
        const page = await response.json();
        this.#synchronize(page.nowMicros / 1000, asked);
        if (page.source !== this.#source) {
            // Another source counts its marks otherwise: from the beginning, without those that
            // are known.
            const again = this.#source !== null;
            this.#source = page.source;
            this.#since = again ? null : page.last;
        } else {
            this.#since = page.last;
        }
        this.#add(page.marks);
        this.#listener({source: page.source, lost: page.lost});
        return page.more;
    }

    /**
     * The server looked at its clock somewhere between question and answer; what is a little off
     * is left as it is, so that nothing jerks.
     */
    #synchronize(serverMillis, asked) {
        const answered = performance.now();
        const skew = serverMillis - performance.timeOrigin - (asked + answered) / 2;
        if (Math.abs(skew - this.#skewMillis) > Math.max(50, (answered - asked) / 2)) {
            this.#skewMillis = skew;
        }
    }

    #add(marks) {
        for (const mark of marks) {
            const at = mark.atMicros / 1000;
            const wait = mark.waitMicros / 1000;
            if (!this.#known.has(mark.id) && at > this.#clearedMillis) {
                this.#known.add(mark.id);
                this.#all.push({...mark, outcome: mark.outcome.toLowerCase(), at, wait, ran: at + wait});
            }
        }
        if (this.#all.length > KEPT) {
            this.#all = this.#all.slice(-KEPT);
            this.#known = new Set(this.#all.map(mark => mark.id));
        }
    }
}
