/**
 * What a store of counts needs: how it is found, where its settings come from, and the exact arithmetic that leads from
 * what it read to what a client is told. Two stores that read the same give the same answers.
 */
package dev.limiter.spi;
