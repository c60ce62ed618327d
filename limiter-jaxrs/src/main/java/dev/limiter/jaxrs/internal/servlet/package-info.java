/** Connects the limiter with a servlet container: start, requests and responses of servlets. */
package dev.limiter.jaxrs.internal.servlet;
