/**
 * Starts a Redis and the example on an embedded server: {@link dev.limiter.example.runner.Main}.
 */
package dev.limiter.example.runner;
