package dev.limiter.servers.war;

import jakarta.ws.rs.Path;

/** Implements the contract without repeating its annotations. */
@Path("contract")
public class ContractResource implements Contract {

    @Override
    public String find(String id) {
        return "found " + id;
    }
}
