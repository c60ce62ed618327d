/** What is deployed. Runs in the server only. */
package dev.limiter.servers.war;
