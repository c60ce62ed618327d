package dev.limiter.servers.war;

import jakarta.ws.rs.Path;

/** Keeps the promise without repeating it. */
@Path("contract")
public class ContractResource implements Contract {

    @Override
    public String find(String id) {
        return "found " + id;
    }
}
