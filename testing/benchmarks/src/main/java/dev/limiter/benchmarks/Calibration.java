package dev.limiter.benchmarks;

import java.util.List;

/**
 * Tells in which blocks the machine was as fast as it mostly was. A fixed load that is not ours is
 * measured between the blocks.
 *
 * @param factor by which its speed may differ from its median; infinite to keep all blocks
 */
record Calibration(double factor) {

    /**
     * @param block who was measured
     * @param before the speed of the fixed load before the block
     * @param after the same behind it
     */
    record Measured(String block, double before, double after, List<Sample> samples) {}

    List<Measured> kept(List<Measured> blocks) {
        if (Double.isInfinite(factor)) {
            return blocks;
        }
        double usual =
                Quartiles.median(blocks.stream().mapToDouble(Measured::after).toArray());
        return blocks.stream()
                .filter(block -> isUsual(block.before(), usual) && isUsual(block.after(), usual))
                .toList();
    }

    private boolean isUsual(double speed, double usual) {
        return speed <= usual * factor && usual <= speed * factor;
    }
}
