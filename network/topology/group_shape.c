/* Computes the number of ports of a group's routers, and which router and port is at the other end
 * of a local port. */
#include "network/topology/group_shape.h"

struct group_shape group_shape_of(uint32_t routers, int64_t dimensions, int64_t links) {
    struct group_shape shape = {.routers = routers, .dimension_count = 1};
    if (dimensions != 0) shape.dimension_count = units_dimensions_count(dimensions);
    bool one_for_all = units_dimensions_count(links) == 1;
    uint32_t stride = 1;
    for (unsigned i = 0; i < shape.dimension_count; i++) {
        struct group_dimension *made = &shape.dimensions[i];
        made->extent = dimensions != 0 ? units_dimension(dimensions, i) : routers;
        made->links_per_neighbour = links != 0 ? units_dimension(links, one_for_all ? 0 : i) : 1;
        made->stride = stride;
        made->first_port = shape.ports_per_router;
        stride *= made->extent;
        shape.ports_per_router += (made->extent - 1) * made->links_per_neighbour;
        shape.diameter += made->extent > 1;
    }
    return shape;
}

static uint32_t coordinate(const struct group_dimension *dimension, uint32_t router) {
    return router / dimension->stride % dimension->extent;
}

uint32_t group_shape_port(const struct group_shape *shape, uint32_t from, uint32_t to) {
    const struct group_dimension *dimension = shape->dimensions;
    while (coordinate(dimension, from) == coordinate(dimension, to))
        dimension++;
    uint32_t here = coordinate(dimension, from), there = coordinate(dimension, to);
    return dimension->first_port +
           (there < here ? there : there - 1) * dimension->links_per_neighbour;
}

uint32_t group_shape_hops(const struct group_shape *shape, uint32_t from, uint32_t to) {
    uint32_t hops = 0;
    for (unsigned i = 0; i < shape->dimension_count; i++)
        hops += coordinate(&shape->dimensions[i], from) != coordinate(&shape->dimensions[i], to);
    return hops;
}

static const struct group_dimension *dimension_of(const struct group_shape *shape, uint32_t port) {
    const struct group_dimension *dimension = &shape->dimensions[shape->dimension_count - 1];
    while (port < dimension->first_port)
        dimension--;
    return dimension;
}

uint32_t group_shape_links(const struct group_shape *shape, uint32_t port) {
    return dimension_of(shape, port)->links_per_neighbour;
}

uint32_t group_shape_local_type(const struct group_shape *shape, uint32_t router, uint32_t port) {
    if (shape->routers_per_drawer == 0)
        return (uint32_t)(dimension_of(shape, port) - shape->dimensions);
    return router / shape->routers_per_drawer !=
           group_shape_end(shape, router, port).router / shape->routers_per_drawer;
}

bool group_shape_is_parallel(const struct group_shape *shape) {
    for (unsigned i = 0; i < shape->dimension_count; i++)
        if (shape->dimensions[i].links_per_neighbour > 1) return true;
    return false;
}

struct group_end group_shape_end(const struct group_shape *shape, uint32_t router, uint32_t port) {
    const struct group_dimension *dimension = dimension_of(shape, port);
    uint32_t inside = port - dimension->first_port;
    uint32_t here = coordinate(dimension, router), there = inside / dimension->links_per_neighbour;
    if (there >= here) there++;
    uint32_t back = here < there ? here : here - 1;
    return (struct group_end){
        .router = router - here * dimension->stride + there * dimension->stride,
        .port = dimension->first_port + back * dimension->links_per_neighbour +
                inside % dimension->links_per_neighbour,
    };
}

uint64_t group_shape_hop_sum(const struct group_shape *shape) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < shape->dimension_count; i++)
        sum += shape->routers - shape->routers / shape->dimensions[i].extent;
    return sum;
}
