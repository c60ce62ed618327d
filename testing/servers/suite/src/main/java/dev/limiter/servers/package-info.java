/** The same requests to every server, from outside; and what is in Redis afterwards. */
package dev.limiter.servers;
