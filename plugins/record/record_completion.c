/*
 * The calls that start, complete, free and cancel requests. Handles and statuses are copied before
 * a call: the call changes the handles, and the application may ignore the statuses.
 */
#include "recorder.h"

PUBLIC int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    CALL;
    MPI_Status own;
    const MPI_Request handle = *request;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Wait)(request, status);
    PASS_RECEIVED(code);
    START(Wait);
    record_request_done(handle, status);
    END;
    return code;
}
ALSO_PMPI(Wait)

PUBLIC int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    CALL;
    const MPI_Request *handles = NULL;
    if (call_.is_recorded) {
        handles = record_copy_requests(count, requests);
        if (statuses == MPI_STATUSES_IGNORE) statuses = record_statuses(count);
    }
    const int code = REAL(Waitall)(count, requests, statuses);
    PASS_COMPLETED(code);
    START(Waitall);
    record_requests_done(code, count, NULL, handles, statuses);
    END;
    return code;
}
ALSO_PMPI(Waitall)

PUBLIC int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    CALL;
    MPI_Status own;
    const MPI_Request *handles = call_.is_recorded ? record_copy_requests(count, requests) : NULL;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Waitany)(count, requests, index, status);
    PASS_RECEIVED(code);
    START(Waitany);
    if (*index != MPI_UNDEFINED) record_request_done(handles[*index], status);
    END;
    return code;
}
ALSO_PMPI(Waitany)

/* Ends MPI_Waitsome and MPI_Testsome. */
static void end_some(const struct record_call *call, recording_call number, int code, int done,
                     const int *indices, const MPI_Request *handles, const MPI_Status *statuses) {
    record_call_begin(call, number);
    if (done != MPI_UNDEFINED) record_requests_done(code, done, indices, handles, statuses);
    record_call_end(call);
}

PUBLIC int MPI_Waitsome(int count, MPI_Request requests[], int *done, int indices[],
                        MPI_Status statuses[]) {
    CALL;
    const MPI_Request *handles = call_.is_recorded ? record_copy_requests(count, requests) : NULL;
    if (call_.is_recorded && statuses == MPI_STATUSES_IGNORE) statuses = record_statuses(count);
    const int code = REAL(Waitsome)(count, requests, done, indices, statuses);
    PASS_COMPLETED(code);
    end_some(&call_, RECORDING_CALL_Waitsome, code, *done, indices, handles, statuses);
    return code;
}
ALSO_PMPI(Waitsome)

PUBLIC int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    CALL;
    MPI_Status own;
    const MPI_Request handle = *request;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Test)(request, flag, status);
    PASS_RECEIVED(code);
    if (!*flag) {
        record_call_poll(&call_, RECORDING_CALL_Test);
        return code;
    }
    START(Test);
    record_request_done(handle, status);
    END;
    return code;
}
ALSO_PMPI(Test)

PUBLIC int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    CALL;
    const MPI_Request *handles = NULL;
    if (call_.is_recorded) {
        handles = record_copy_requests(count, requests);
        if (statuses == MPI_STATUSES_IGNORE) statuses = record_statuses(count);
    }
    const int code = REAL(Testall)(count, requests, flag, statuses);
    PASS_COMPLETED(code);
    if (!*flag) {
        record_call_poll(&call_, RECORDING_CALL_Testall);
        return code;
    }
    START(Testall);
    record_requests_done(code, count, NULL, handles, statuses);
    END;
    return code;
}
ALSO_PMPI(Testall)

PUBLIC int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag,
                       MPI_Status *status) {
    CALL;
    MPI_Status own;
    const MPI_Request *handles = call_.is_recorded ? record_copy_requests(count, requests) : NULL;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Testany)(count, requests, index, flag, status);
    PASS_RECEIVED(code);
    if (!*flag) {
        record_call_poll(&call_, RECORDING_CALL_Testany);
        return code;
    }
    START(Testany);
    if (*index != MPI_UNDEFINED) record_request_done(handles[*index], status);
    END;
    return code;
}
ALSO_PMPI(Testany)

PUBLIC int MPI_Testsome(int count, MPI_Request requests[], int *done, int indices[],
                        MPI_Status statuses[]) {
    CALL;
    const MPI_Request *handles = call_.is_recorded ? record_copy_requests(count, requests) : NULL;
    if (call_.is_recorded && statuses == MPI_STATUSES_IGNORE) statuses = record_statuses(count);
    const int code = REAL(Testsome)(count, requests, done, indices, statuses);
    PASS_COMPLETED(code);
    if (*done == 0)
        record_call_poll(&call_, RECORDING_CALL_Testsome);
    else
        end_some(&call_, RECORDING_CALL_Testsome, code, *done, indices, handles, statuses);
    return code;
}
ALSO_PMPI(Testsome)

PUBLIC int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
    CALL;
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE && call_.is_recorded) status = &own;
    const int code = REAL(Request_get_status)(request, flag, status);
    PASS(code);
    if (!*flag) {
        record_call_poll(&call_, RECORDING_CALL_Request_get_status);
        return code;
    }
    START(Request_get_status);
    record_request_done(request, status);
    END;
    return code;
}
ALSO_PMPI(Request_get_status)

static void start(MPI_Request handle) {
    struct record_request *started = record_request_find(handle);
    if (started != NULL)
        record_request_start(started);
    else
        record_unknown(RECORDING_UNKNOWN_REQUEST);
}

PUBLIC int MPI_Start(MPI_Request *request) {
    CALL;
    const int code = REAL(Start)(request);
    PASS(code);
    START(Start);
    start(*request);
    END;
    return code;
}
ALSO_PMPI(Start)

PUBLIC int MPI_Startall(int count, MPI_Request requests[]) {
    CALL;
    const int code = REAL(Startall)(count, requests);
    PASS(code);
    START(Startall);
    for (int i = 0; i < count; i++)
        start(requests[i]);
    END;
    return code;
}
ALSO_PMPI(Startall)

PUBLIC int MPI_Request_free(MPI_Request *request) {
    CALL;
    const MPI_Request handle = *request;
    const int code = REAL(Request_free)(request);
    PASS(code);
    START(Request_free);
    record_request_free(handle);
    END;
    return code;
}
ALSO_PMPI(Request_free)

PUBLIC int MPI_Cancel(MPI_Request *request) {
    CALL;
    const int code = REAL(Cancel)(request);
    PASS(code);
    START(Cancel);
    struct record_request *cancelled = record_request_find(*request);
    if (cancelled != NULL) cancelled->is_cancelled = true;
    END;
    return code;
}
ALSO_PMPI(Cancel)
