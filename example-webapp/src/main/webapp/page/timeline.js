/**
 * The time axis that all lanes share: what is now is at the right. The wider it is, the further
 * back it reaches.
 */
export class Timeline {
    static PIXELS_PER_SECOND = 20;

    /** Room for half a mark behind "now". */
    static MARGIN = 6;

    /** Marks of so many ms stand in one column. */
    static COLUMN_MILLIS = 250;

    /** Coordinates are counted from here, so that they stay small. */
    #originMillis;

    constructor(originMillis) {
        this.#originMillis = Math.floor(originMillis / 1000) * 1000;
        this.width = 0;
    }

    /** How far back it reaches. */
    get spanMillis() {
        return this.width / Timeline.PIXELS_PER_SECOND * 1000;
    }

    /** Where an instant is drawn, before everything is shifted by {@link shift}. */
    x(millis) {
        return (millis - this.#originMillis) / 1000 * Timeline.PIXELS_PER_SECOND;
    }

    /** The middle of the column of an instant; columns do not move when time goes on. */
    columnX(millis) {
        return this.x((Math.floor(millis / Timeline.COLUMN_MILLIS) + 0.5) * Timeline.COLUMN_MILLIS);
    }

    /** How far to shift what is drawn so that now is at the right. */
    shift(nowMillis) {
        return this.width - Timeline.MARGIN - this.x(nowMillis);
    }

    /** Where something so many seconds old is, after the shift. */
    ago(seconds) {
        return this.width - Timeline.MARGIN - seconds * Timeline.PIXELS_PER_SECOND;
    }

    /** The seconds at which the axis has a line, now among them. */
    get ticks() {
        const ticks = [];
        for (let seconds = 0; this.ago(seconds) > 12; seconds += 5) {
            ticks.push(seconds);
        }
        return ticks;
    }
}
