/**
 * Sends the same requests to every server, from outside, and checks the units in Redis
 * afterwards.
 */
package dev.limiter.servers;
