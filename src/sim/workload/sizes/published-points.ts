/**
 * Points of published distributions of flow sizes, bytes and cumulative percentage, from the traffic generators published with
 * the reference simulators (repository alibaba-edu/High-Precision-Congestion-Control, folder traffic_gen; Solar: folder
 * traffic_gen of conweave-project/conweave-ns3).
 */

/** WebSearch_distribution.txt: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, figure 4. */
export const WEB_SEARCH = `
0 0
10000 15
20000 20
30000 30
50000 40
80000 53
200000 60
1000000 70
2000000 80
5000000 90
10000000 97
30000000 100
`;

/** FbHdp_distribution.txt: Roy et al., "Inside the Social Network's (Datacenter) Network", SIGCOMM 2015, Hadoop. */
export const FB_HADOOP = `
0 0
100 1
200 2
300 5
350 15
400 20
500 30
600 40
700 50
1000 60
2000 67
7000 70
30000 72
50000 82
80000 87
120000 90
300000 95
1000000 97.5
2000000 99
10000000 100
`;

/** AliStorage2019.txt: a storage cluster of Alibaba. */
export const ALI_STORAGE = `
0 0
4000 22.93
8000 69.21
16000 80.61
32000 90.47
64000 93.53
128000 96.77
256000 97.53
2000000 100
`;

/** Solar2022.txt: Miao et al., "From Luna to Solar", SIGCOMM 2022, requests of Alibaba's block storage. */
export const SOLAR = `
0 0
4095 0.001
4096 30.0
16383 35.0
16384 50.0
65535 60.0
65536 95.0
262144 100.0
`;

/**
 * Made by this project, not published: deciles from the axis of HPCC's FB_Hadoop plots (Li et al., SIGCOMM 2019, figure 11);
 * above 120 kB our choice, with 1 % of flows above 1 MB.
 */
export const FB_HADOOP_DECILES = `
0 0
324 10
400 20
500 30
600 40
700 50
1000 60
7000 70
46000 80
120000 90
1000000 99
10000000 100
`;

/** Made by this project, not published: a guess at the shape of AliStorage, made before its points were found. */
export const ALI_STORAGE_GUESS = `
0 0
512 5
1024 20
4096 55
8192 65
16384 75
65536 88
131072 93
262144 96
524288 98
2097152 100
`;
