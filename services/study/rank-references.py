"""Ranks the verses that may be cross references of each verse, by a weighted sum of evidence. compute-references.mjs runs it.

Candidates of a verse are its nearest verses by original words (Strong's numbers), by words of two English translations and by
vector, and the verses that printed works connect with it. The weights of the evidence are those of a logistic regression
(reference-weights.tsv). With --train FILE, they are computed from half of the verses of FILE, and the other half measures them.
"""
import json
import math
import os
import sqlite3
import sys
import time
import zlib
from collections import Counter, defaultdict

import numpy as np

FOLDER = os.path.dirname(os.path.abspath(__file__))
WORK = sys.argv[1]
TRAINING = sys.argv[3] if sys.argv[2:3] == ['--train'] else None
SETTINGS = json.load(open(f'{WORK}/settings.json'))
BOOKS = SETTINGS['books']
REFERENCES_OF_VERSE = 10

t0=time.time()
V=[json.loads(l) for l in open(f'{WORK}/verses.jsonl', encoding='utf8')]
KJ=[v for v in V if 'eng-kjv' in v]; V=KJ
N=len(V); ordn=np.array([v['ordinal'] for v in V]); idx={int(o):i for i,o in enumerate(ordn)}
book=ordn//1000000; chap=ordn//1000
def tfidf(lists,maxdf=4000):
    df=Counter(); 
    for l in lists: df.update(set(l))
    idf={t:math.log(N/d) for t,d in df.items() if d<=maxdf}
    vecs=[]
    post=defaultdict(list)
    for i,l in enumerate(lists):
        c=Counter(x for x in l if x in idf); w={t:(1+math.log(n))*idf[t] for t,n in c.items()}
        norm=math.sqrt(sum(x*x for x in w.values())+25) # damp short verses
        w={t:x/norm for t,x in w.items()}
        vecs.append(w)
        for t,x in w.items(): post[t].append((i,x))
    P={t:(np.array([i for i,_ in l],dtype=np.int32),np.array([x for _,x in l])) for t,l in post.items()}
    return idf,vecs,P
def topk(vecs,P,k):
    out=[]
    for i in range(N):
        s=np.zeros(N)
        for t,x in vecs[i].items():
            p=P[t]; s[p[0]]+=x*p[1]
        s[i]=0
        c=np.argpartition(-s,k)[:k]; out.append(c[s[c]>0])
    return out
content=lambda l:[x for x in l if not x.startswith('.')]
spaces={'strongs':[v.get('strongs',[]) for v in V],'eng-kjv':[content(v['eng-kjv']) for v in V],'eng-web':[content(v.get('eng-web',[])) for v in V],'spa-rv1909':[content(v.get('spa-rv1909',[])) for v in V]}
def bigrams(l): return [a+' '+b for a,b in zip(l,l[1:])]
spaces['bi']=[bigrams([x.lstrip('.') for x in v['eng-kjv']]) for v in V]
spaces['tri']=[[' '.join(t) for t in zip(*[[x.lstrip('.') for x in v['eng-web']][j:] for j in range(3)])] if v.get('eng-web') else [] for v in V]
spaces['lbi']=[bigrams(v.get('strongs',[])) for v in V]
T={};cand=[set() for _ in range(N)]
for name,l in spaces.items():
    T[name]=tfidf(l, 4000 if name in('strongs','eng-kjv','eng-web','spa-rv1909') else 300)
    if name in('strongs','eng-kjv','eng-web'):
        for i,c in enumerate(topk(T[name][1],T[name][2],25)): cand[i].update(map(int,c))
    print(name,time.time()-t0,file=sys.stderr)
R=np.fromfile(f'{WORK}/vectors.bin',dtype=np.int8).reshape(-1,SETTINGS['dimensions']).astype(np.float32)
E=np.zeros((N,R.shape[1]),dtype=np.float32)
for o,r in zip(SETTINGS['vectorOrdinals'],R):
    if o in idx: E[idx[o]]+=r/np.linalg.norm(r)
E-=E[np.linalg.norm(E,axis=1)>0].mean(0)*(np.linalg.norm(E,axis=1)>0)[:,None]
nn=np.linalg.norm(E,axis=1);nn[nn==0]=1;E/=nn[:,None]
W=E.copy();W[1:]+=.5*E[:-1];W[:-1]+=.5*E[1:];W/=np.maximum(np.linalg.norm(W,axis=1),1e-6)[:,None]
rank=[None]*N
for s in range(0,N,1000):
    S=E[s:s+1000]@E.T
    for i in range(S.shape[0]): S[i,s+i]=-1
    c=np.argpartition(-S,40,axis=1)[:,:40]
    for i in range(S.shape[0]):
        q=c[i][np.argsort(-S[i][c[i]])]; rank[s+i]={int(x):r for r,x in enumerate(q)}; cand[s+i].update(map(int,q))
print('vec',time.time()-t0,file=sys.stderr)
db=sqlite3.connect(SETTINGS['works'])
names={n:i for n,i in db.execute('select number,id from source')}
src=defaultdict(set)
def within(f,l):
    a=idx.get(f)
    if a is None: return []
    b=idx.get(l,a); return range(a,b+1)
for v,f,l,ss in db.execute('select verse,first,last,sources from cross_reference'):
    if v not in idx: continue
    for b in within(f,l):
        for s in json.loads(ss):
            if names[s]!='computed':
                a=idx[v]; src[(min(a,b),max(a,b))].add(names[s])
tight=defaultdict(float)
for s,f,l,sp in db.execute('select source,first,last,spans from note'):
    A=list(within(f,l)); refs=json.loads(sp)
    if not A or len(A)>30 or not refs: continue
    for _,_,tf,tl in refs:
        B=list(within(tf,tl))
        if len(B)>8: continue
        w=1/math.sqrt(len(A)*len(B))
        for a in A:
            for b in B:
                k=(min(a,b),max(a,b)); tight[k]=max(tight[k],w)
topic=defaultdict(float);ttop=defaultdict(list)
for tn,sp in db.execute('select topic,spans from topic_entry'):
    S=[list(within(f,l)) for f,l in json.loads(sp)]
    heads=[x for x in S if 0<len(x)<=6]
    k=len(heads)
    if k<2 or k>60: continue
    for x in range(k):
        for y in range(x+1,k):
            for a in heads[x]:
                for b in heads[y]:
                    if a!=b: topic[(min(a,b),max(a,b))]+=1/k
for v,t in db.execute('select verse,topic from verse_topic'):
    if v in idx: ttop[idx[v]].append(t)
tsize=Counter(t for l in ttop.values() for t in l)
adj=defaultdict(set)
for (a,b) in src: adj[a].add(b);adj[b].add(a)
for (a,b),w in topic.items():
    if w>=1/8: adj[a].add(b);adj[b].add(a)
for (a,b) in list(src)+[k for k,w in topic.items() if w>=1/25]: cand[a].add(b);cand[b].add(a)
pairs=set()
for a in range(N):
    for b in cand[a]:
        if a!=b: pairs.add((min(a,b),max(a,b)))
# neighbours in the graph (two steps), for Adamic-Adar
aa=defaultdict(float)
for c,l in adj.items():
    if 2<=len(l)<=60:
        w=1/math.log(1+len(l)); L=sorted(l)
        for x in range(len(L)):
            for y in range(x+1,len(L)): aa[(L[x],L[y])]+=w
for k,w in aa.items():
    if w>0.8: pairs.add(k)
pairs=sorted(pairs);print('pairs',len(pairs),time.time()-t0,file=sys.stderr)
A=np.array([p[0] for p in pairs]);B=np.array([p[1] for p in pairs])
F={}
def dot(name):
    vecs=T[name][1]; out=np.zeros(len(pairs))
    for n,(a,b) in enumerate(pairs):
        x,y=vecs[a],vecs[b]
        if len(x)>len(y):x,y=y,x
        s=0.
        for t,w in x.items():
            z=y.get(t)
            if z: s+=w*z
        out[n]=s
    return out
for name in spaces: F['cos_'+name]=dot(name); print(name,time.time()-t0,file=sys.stderr)
F['cos_max']=np.maximum(F['cos_eng-kjv'],np.maximum(F['cos_strongs'],F['cos_eng-web']))
idf=T['strongs'][0];ls=[set(x for x in l if x in idf) for l in spaces['strongs']]
F['rare']=np.array([max((idf[x] for x in ls[a]&ls[b]),default=0)/10 for a,b in pairs])
F['vec']=np.einsum('ij,ij->i',E[A],E[B]);F['win']=np.einsum('ij,ij->i',W[A],W[B])
F['vrank']=np.array([1/(3+rank[a].get(b,60))+1/(3+rank[b].get(a,60)) for a,b in pairs])
for s in('henry','scofield','spurgeon','naves','web-notes'): F['s_'+s]=np.array([float(s in src.get(p,())) for p in pairs])
F['any']=np.array([float(p in src) for p in pairs])
F['nsrc']=np.array([float(len(src.get(p,()))>1) for p in pairs])
F['tight']=np.array([tight.get(p,0) for p in pairs])
F['topic']=np.array([min(1.5,topic.get(p,0)) for p in pairs]);F['topicany']=(F['topic']>0)*1.
F['ltopic']=np.log1p(np.array([topic.get(p,0) for p in pairs])*4)
tv={a:{t:1/math.sqrt(tsize[t]) for t in set(l)} for a,l in ttop.items()}
F['shared']=np.array([min(2,sum(tv[a][t] for t in tv[a].keys()&tv[b].keys())) if a in tv and b in tv else 0 for a,b in pairs])
F['aa']=np.log1p(np.array([aa.get(p,0) for p in pairs]))
# pairs beside the pair
near=np.zeros(len(pairs))
for n,(a,b) in enumerate(pairs):
    near[n]=sum(1 for da,dbb in((1,1),(-1,-1),(0,1),(0,-1),(1,0),(-1,0)) if (min(a+da,b+dbb),max(a+da,b+dbb)) in src or (topic.get((min(a+da,b+dbb),max(a+da,b+dbb)),0)>=.1))
F['near']=np.log1p(near)
deg=np.array([len(adj.get(i,())) for i in range(N)]);F['deg']=np.log1p(deg[A])+np.log1p(deg[B]);F['mindeg']=np.minimum(np.log1p(deg[A]),np.log1p(deg[B]))
F['chap']=(chap[A]==chap[B])*1.;F['book']=(book[A]==book[B])*1.;F['test']=((book[A]<40)==(book[B]<40))*1.;F['nt']=((book[A]>=40)&(book[B]>=40))*1.
F['close']=(np.abs(A-B)<=3)*1.;F['adj']=(np.abs(A-B)==1)*1.
F['dist']=np.exp(-np.abs(A-B)/40)
ln=np.array([len(v['eng-kjv']) for v in V]);F['len']=np.log(ln[A])+np.log(ln[B])
for x in('cos_eng-kjv','cos_strongs','vec','win'): F['sq_'+x]=F[x]**2
for x in('cos_max','topic','shared'): F['v_'+x]=F['vec']*F[x]
F['x_mx']=F['any']*F['cos_max'];F['x_v']=F['any']*F['vec'];F['x_t']=F['any']*F['topicany']

for k in ('cos_tri','cos_eng-web','x_mx','x_v','x_t','v_topic','nsrc','s_henry','s_spurgeon'): F.pop(k,None)
for k,x,y in (('c_vec','chap','vec'),('c_win','chap','win'),('c_max','chap','cos_max'),('c_topic','chap','topicany'),('b_vec','book','vec'),
              ('b_max','book','cos_max'),('n_vec','test','vec'),('n_rare','test','rare'),('v_rare','vec','rare'),
              ('v_topicany','vec','topicany'),('ntvec','nt','vec')): F[k]=F[x]*F[y]
names=list(F)
M=np.stack(list(F.values()),1).astype(np.float32)
weights=f'{FOLDER}/reference-weights.tsv'


def parse(text):
    """Returns the index of a verse such as `GEN 1:1`, or None."""
    b,cv=text.split(' ');c,v=cv.split(':')
    return idx.get((BOOKS.index(b)+1)*1000000+int(c)*1000+int(v))


def train():
    """Computes the weights from the verses of TRAINING whose checksum is even. A reference within a verse counts as right."""
    right={}
    for line in open(TRAINING,encoding='utf8'):
        verse,targets=line.rstrip().split('\t')
        if parse(verse) is None or zlib.crc32(str(parse(verse)).encode())%2: continue
        right[parse(verse)]={i+d for i in map(parse,targets.split(';')) if i is not None for d in(-1,0,1)}
    rows,labels=[],[]
    for x,y in((A,B),(B,A)):
        for i,(a,b) in enumerate(zip(x.tolist(),y.tolist())):
            if a in right: rows.append(i);labels.append(b in right[a])
    mean,deviation=M.mean(0),M.std(0)+1e-6
    X=np.concatenate([(M[rows]-mean)/deviation,np.ones((len(rows),1),np.float32)],1);Y=np.array(labels,np.float32)
    w=np.zeros(X.shape[1],np.float32)
    for _ in range(8):
        p=1/(1+np.exp(-X@w));g=X.T@(p-Y)+1e-5*len(Y)*w
        H=(X*(p*(1-p))[:,None]).T@X+np.eye(len(w))*len(Y)*1e-5
        w=w-np.linalg.solve(H,g).astype(np.float32)
    with open(weights,'w') as out:
        out.write('evidence\tweight\n')
        # Divided by the deviations, the weights apply to the values themselves. A constant does not change an order.
        for name,value in zip(names,w[:-1]/deviation): out.write(f'{name}\t{value:.5g}\n')


if TRAINING: train()
weight=dict(line.rstrip().split('\t') for line in open(weights).readlines()[1:])
score=M@np.array([float(weight[name]) for name in names],np.float32)
X,Y,S=np.concatenate([A,B]),np.concatenate([B,A]),np.concatenate([score,score])
order=np.lexsort((-S,X));X,Y=X[order],Y[order]
starts=np.searchsorted(X,np.arange(N+1))
write=lambda i:(lambda o:f'{BOOKS[o//1000000-1]} {o//1000%1000}:{o%1000}')(int(ordn[i]))
with open(f'{FOLDER}/computed-references.tsv','w') as out:
    out.write('verse\trelated verses, the best first\n')
    for i in range(N):
        best=Y[starts[i]:min(starts[i+1],starts[i]+REFERENCES_OF_VERSE)]
        if len(best): out.write('\t'.join(map(write,[i,*best]))+'\n')
