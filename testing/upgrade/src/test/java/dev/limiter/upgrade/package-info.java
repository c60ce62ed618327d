/**
 * An earlier build and the present build: what both do to one Redis, and what users compile
 * against.
 */
package dev.limiter.upgrade;
