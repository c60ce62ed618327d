/** Encodes calls of the Lua programs and decodes their replies, without a network. */
package dev.limiter.redis.internal.script;
