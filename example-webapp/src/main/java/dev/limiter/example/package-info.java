/** The zoo: an application that limits its endpoints by annotation. */
package dev.limiter.example;
