/**
 * Random tests: a {@link dev.limiter.testkit.property.Property} that must hold for each case that a
 * {@link dev.limiter.testkit.property.Generator} draws from {@link
 * dev.limiter.testkit.property.Dice}. Each case has a seed, which a failure names. A failure shows
 * a case without the steps that it does not need to fail.
 */
package dev.limiter.testkit.property;
