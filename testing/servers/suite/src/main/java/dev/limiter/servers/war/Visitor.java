package dev.limiter.servers.war;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Named;

/** The visitor of a request. */
@Named("visitor")
@RequestScoped
public class Visitor {
    private String group;

    public String getGroup() {
        return group;
    }

    public void setGroup(String group) {
        this.group = group;
    }

    /** A property that is not there for everybody. */
    public String getFailing() {
        throw new IllegalStateException("on purpose");
    }
}
