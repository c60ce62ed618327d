/** What the limiter does in the build of a Quarkus application. Nothing is for use in code. */
package dev.limiter.quarkus.deployment;
