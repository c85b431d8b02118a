// Judges the cases of goVerifier.slow.test.ts with Go's implementation of transparency logs. Reads one JSON
// object a line and answers each with "ok" or with the reason why it is refused.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type testCase struct {
	Kind     string
	Note     string
	Vkey     string
	Witness  string
	Size     int64
	From     int64
	Index    int64
	Root     tlog.Hash
	FromRoot tlog.Hash
	Data     []byte
	Proof    []tlog.Hash
	Tiles    map[string][]byte
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var c testCase
		err := json.Unmarshal(lines.Bytes(), &c)
		if err == nil {
			err = judge(c)
		}
		if err == nil {
			fmt.Println("ok")
		} else {
			fmt.Println("refused:", strings.ReplaceAll(err.Error(), "\n", " "))
		}
	}
}

func judge(c testCase) error {
	switch c.Kind {
	case "inclusion":
		return tlog.CheckRecord(c.Proof, c.Size, c.Root, c.Index, tlog.RecordHash(c.Data))
	case "consistency":
		return tlog.CheckTree(c.Proof, c.Size, c.Root, c.From, c.FromRoot)
	case "checkpoint":
		return checkCheckpoint(c)
	case "tiles":
		return checkTiles(c)
	}
	return errors.New("unknown kind")
}

// The note is signed by the log and, if the case names one, by the witness, and has this size and root.
func checkCheckpoint(c testCase) error {
	log, err := note.NewVerifier(c.Vkey)
	if err != nil {
		return err
	}
	known := []note.Verifier{log}
	if c.Witness != "" {
		witness, err := newCosigner(c.Witness)
		if err != nil {
			return err
		}
		known = append(known, witness)
	}
	opened, err := note.Open([]byte(c.Note), note.VerifierList(known...))
	if err != nil {
		return err
	}
	if len(opened.Sigs) != len(known) {
		return fmt.Errorf("%d signatures", len(opened.Sigs))
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != log.Name() || lines[1] != strconv.FormatInt(c.Size, 10) || lines[2] != c.Root.String() {
		return fmt.Errorf("another checkpoint: %q", opened.Text)
	}
	return nil
}

// A witness whose signatures have a time (cosignature/v1), which golang.org/x/mod does not know.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newCosigner(vkey string) (*cosigner, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("malformed vkey")
	}
	material, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(material) != 33 || material[0] != 4 {
		return nil, errors.New("not the key of a cosigner")
	}
	hash := sha256.Sum256(append([]byte(parts[0]+"\n"), material...))
	return &cosigner{parts[0], binary.BigEndian.Uint32(hash[:4]), material[1:]}, nil
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }
func (c *cosigner) Verify(text, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	header := fmt.Sprintf("cosignature/v1\ntime %d\n", binary.BigEndian.Uint64(sig))
	return ed25519.Verify(c.key, append([]byte(header), text...), sig[8:])
}

// Go reads the tiles, authenticates them against the root, and makes the same proof from them.
func checkTiles(c testCase) error {
	reader := tlog.TileHashReader(tlog.Tree{N: c.Size, Hash: c.Root}, tileReader(c.Tiles))
	proof, err := tlog.ProveRecord(c.Size, c.Index, reader)
	if err != nil {
		return err
	}
	for i := range proof {
		if len(proof) != len(c.Proof) || !bytes.Equal(proof[i][:], c.Proof[i][:]) {
			return errors.New("another proof")
		}
	}
	return nil
}

type tileReader map[string][]byte

func (tileReader) Height() int                     { return 8 }
func (tileReader) SaveTiles([]tlog.Tile, [][]byte) {}
func (r tileReader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range tiles {
		// Go's paths have the height of the tiles in them, those of C2SP do not.
		data, ok := r[strings.TrimPrefix(tile.Path(), "tile/8/")]
		if !ok {
			return nil, errors.New("no tile " + tile.Path())
		}
		read = append(read, data)
	}
	return read, nil
}
