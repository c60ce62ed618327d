/** The pages of the guide as blocks of code, for the tests that compile, read or run them. */
package dev.limiter.testkit.guide;
