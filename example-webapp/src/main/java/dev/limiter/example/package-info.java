/** The zoo: what an application looks like that limits its endpoints by annotation. */
package dev.limiter.example;
