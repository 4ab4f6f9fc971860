/* What events carry: the records of ACKs, NACKs, credit and Fast CNPs. */
#ifndef ROCE_EVENT_RECORDS_H
#define ROCE_EVENT_RECORDS_H

#include "engine.h"

ROCE_COLD roce_status out_of_range(roce_engine *engine, const char *field, const char *allowed);

/* Each check comes before its write. Records of ACKs, NACKs and credit have one sequence of indices in a batch, from 0. */
roce_status check_ack(roce_engine *engine, const roce_ack_info *ack);
void put_ack(roce_engine *engine, uint32_t index, const roce_ack_info *ack);
roce_status check_nack(roce_engine *engine, const roce_nack_info *nack);
void put_nack(roce_engine *engine, uint32_t index, const roce_nack_info *nack);
roce_status check_credit(roce_engine *engine, double pull_number);
void put_credit(roce_engine *engine, uint32_t index, double pull_number);
roce_status check_fast_cnp(roce_engine *engine, const roce_fast_cnp_info *fast_cnp);
/* `ack_index`: where its hops go, if it has any. */
void put_fast_cnp(roce_engine *engine, uint32_t index, uint32_t ack_index, const roce_fast_cnp_info *fast_cnp);

#endif
