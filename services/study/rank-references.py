"""Ranks the verses that may be cross references of each verse. compute-references.mjs runs it after learn-distance.py.

Candidates of a verse are its nearest verses by original words (Strong's numbers), by words of two English translations, by
vector and by learned distance, and the verses that printed works connect with it. A network of two small layers learns from
half of the verses of FILE how likely a candidate is, and the other half measures it.
"""
import glob
import json
import math
import os
import sqlite3
import sys
import time
import zlib
from collections import Counter, defaultdict

import numpy as np
import torch

FOLDER = os.path.dirname(os.path.abspath(__file__))
WORK = sys.argv[1]
FILE = sys.argv[2]
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
# What the models of learn-distance.py say. The last model is the mean of the others, for verses that none has learned from.
models=[np.load(path) for path in sorted(glob.glob(f'{WORK}/distance-*.npz'))]
PLACES=[m['places'] for m in models]; POPULAR=[m['popularity'] for m in models]
PLACES.append(np.concatenate(PLACES,1)/math.sqrt(len(models))); POPULAR.append(sum(POPULAR)/len(models))
MEAN=len(models)
unseen={int(v):m for m,l in enumerate(models) for v in l['unseen']}
def nearest(m,verses,k=50):
    """Returns the pairs (verse, near verse) as one number each."""
    found=[]
    for v in np.array_split(verses,len(verses)//1000+1):
        D=PLACES[m][v]@PLACES[m].T+POPULAR[m];D[np.arange(len(v)),v]=-1e9
        found.append((v[:,None]*N+np.argpartition(-D,k,axis=1)[:,:k]).ravel())
    return np.concatenate(found)
# A verse that a model learned from must not choose candidates in training. So the two directions of a pair are apart.
NEAREST=[nearest(m,l['unseen']) for m,l in enumerate(models)]+[nearest(MEAN,np.arange(N))]
plain={a*N+b for a,b in pairs}
pairs.update((min(k//N,k%N),max(k//N,k%N)) for l in NEAREST for k in l.tolist())
print('distance',time.time()-t0,file=sys.stderr)
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

names=list(F)
M=np.stack(list(F.values()),1).astype(np.float32)
# Each pair in both directions, by the first verse.
X,Y,R=np.concatenate([A,B]),np.concatenate([B,A]),np.tile(np.arange(len(A)),2)
order=np.lexsort((Y,X));X,Y,R=X[order],Y[order],R[order]
starts=np.searchsorted(X,np.arange(N+1))
PLAIN=np.array([a*N+b in plain for a,b in pairs])
PARTS=np.digitize(book,[6,18,23,28,40,44,45,58,66]) # the Law, histories, poetry, major and minor prophets, Gospels, Acts ...


def evidence(verses,m):
    """Returns the rows of the verses' pairs, and the evidence for each, as the model m sees the distances."""
    rows=np.concatenate([np.arange(starts[v],starts[v+1]) for v in verses]).astype(int)
    rows=rows[PLAIN[R[rows]]|np.isin(X[rows]*N+Y[rows],NEAREST[m])]
    a,b=X[rows],Y[rows];place=PLACES[m];beside=lambda v:np.clip(v,0,N-1)
    def near(x,y): return np.concatenate([np.einsum('ij,ij->i',place[p],place[q]) for p,q in zip(np.array_split(x,20),np.array_split(y,20))])
    own=near(a,b);before,after=near(a,beside(b-1)),near(a,beside(b+1));popular=POPULAR[m]
    whole=np.logaddexp(np.logaddexp(own+popular[b],before+popular[beside(b-1)]),after+popular[beside(b+1)])
    distances=[own,popular[b],popular[a],before,after,near(beside(a-1),b),near(beside(a+1),b),np.maximum(before,after),whole]
    shared=M[R[rows]]
    begins,group=np.unique(a,return_index=True,return_inverse=True)[1:]
    relative=[]
    for value in [own+popular[b],whole]+[shared[:,names.index(n)] for n in('cos_strongs','cos_eng-kjv','vec','win','shared','topic','aa')]:
        place_in_list=np.empty(len(value));order=np.lexsort((-value,group));place_in_list[order]=np.arange(len(value))-begins[group]
        relative+=[1/(3+place_in_list),np.log1p(place_in_list),value-np.maximum.reduceat(value,begins)[group]]
    part=np.eye(10)
    return rows,np.concatenate([shared,np.stack(distances+relative,1),part[PARTS[a]],part[PARTS[b]],(b>a)[:,None]],1).astype(np.float32)


def read_references():
    """Returns the references of the verses of FILE."""
    def parse(text):
        b,cv=text.split(' ');c,v=cv.split(':')
        return idx.get((BOOKS.index(b)+1)*1000000+int(c)*1000+int(v))
    read=[[list(map(parse,part.split(';'))) for part in line.rstrip().split('\t')] for line in open(FILE,encoding='utf8')]
    return {verse:{t for t in targets if t is not None} for (verse,),targets in read if verse is not None}


def learn(values,labels,epochs=5,rate=2e-3):
    """Returns a network that gives a higher number to likelier references. The evidence is scaled in place."""
    torch.manual_seed(0);torch.set_num_threads(1)
    net=torch.nn.Sequential(torch.nn.Linear(values.shape[1],64),torch.nn.ReLU(),torch.nn.Linear(64,32),torch.nn.ReLU(),torch.nn.Linear(32,1))
    optimizer=torch.optim.AdamW(net.parameters(),weight_decay=.01);random=np.random.default_rng(0)
    rows=np.arange(len(values));steps=epochs*math.ceil(len(rows)/4096);step=0
    for _ in range(epochs):
        random.shuffle(rows)
        for start in range(0,len(rows),4096):
            optimizer.param_groups[0]['lr']=rate*max(.02,1-step/steps);step+=1
            batch=np.sort(rows[start:start+4096])
            loss=torch.nn.functional.binary_cross_entropy_with_logits(net(torch.from_numpy(values[batch]))[:,0],torch.from_numpy(labels[batch]))
            optimizer.zero_grad();loss.backward();optimizer.step()
    return net


references=read_references()
parts=[evidence([v for v in sorted(unseen) if unseen[v]==m],m) for m in range(MEAN)]
rows=np.concatenate([r for r,_ in parts]);values=np.concatenate([v for _,v in parts]);del parts
# Only the verse itself is right in training. Otherwise the lists would have each good verse with those beside it.
labels=np.array([y in references[x] for x,y in zip(X[rows].tolist(),Y[rows].tolist())],np.float32)
mean,deviation=values.mean(0),values.std(0)+1e-4
scaled=lambda values:np.clip((values-mean)/deviation,-8,8).astype(np.float32)
net=learn(scaled(values),labels);del values
best={}
for verses in np.array_split(np.arange(N),60):
    rows,values=evidence(verses,MEAN)
    with torch.no_grad(): score=net(torch.from_numpy(scaled(values)))[:,0].numpy()
    x,y=X[rows],Y[rows];order=np.lexsort((-score,x));x,y=x[order],y[order]
    for v in verses.tolist(): best[v]=y[np.searchsorted(x,v):np.searchsorted(x,v+1)][:REFERENCES_OF_VERSE].tolist()
write=lambda i:(lambda o:f'{BOOKS[o//1000000-1]} {o//1000%1000}:{o%1000}')(int(ordn[i]))
with open(f'{FOLDER}/computed-references.tsv','w') as out:
    out.write('verse\trelated verses, the best first\n')
    for v in sorted(best): out.write('\t'.join(map(write,[v,*best[v]]))+'\n')
measured=[v for v in references if v not in unseen]
if not measured: sys.exit() # with --all
near={v:{t+d for t in references[v] for d in(-1,0,1)} for v in measured}
hits=[sum(b in near[v] for b in best[v]) for v in measured];shown=sum(len(best[v]) for v in measured)
possible=sum(min(REFERENCES_OF_VERSE,len(references[v])) for v in measured)
found=sum(bool({t-1,t,t+1}&set(best[v])) for v in measured for t in references[v])
print(f'{len(measured)} other verses: {sum(hits)/shown:.3f} of {shown} shown are references or beside one, '
      f'{sum(b in references[v] for v in measured for b in best[v])/shown:.3f} are references; '
      f'found are {found/sum(len(references[v]) for v in measured):.3f} of all and {found/possible:.3f} of those that ten can hold; '
      f'{400*hits.count(0)/len(hits):.0f} of 400 verses have none',file=sys.stderr)
