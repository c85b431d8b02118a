package reliability

import (
	"context"
	"encoding/json"
	"fmt"
)

// Iterator reads one value after the other, and further pages as it goes:
//
//	for users := client.ListUsersEach(ctx, nil); users.Next(); {
//		fmt.Println(users.Value().ExternalId)
//	}
type Iterator[T any] struct {
	next  func() (T, bool, error)
	value T
	err   error
	ended bool
}

// Next reads the next value. False: there is none, or Err.
func (i *Iterator[T]) Next() bool {
	if i.ended {
		return false
	}
	value, more, err := i.next()
	i.value, i.err, i.ended = value, err, !more || err != nil
	return !i.ended
}

// Value is what Next has read.
func (i *Iterator[T]) Value() T { return i.value }

// Err is why Next ended before the end.
func (i *Iterator[T]) Err() error { return i.err }

func pages[T any](ctx context.Context, c *Client, r route, parts []string, query any, options []Option) *Iterator[T] {
	var place struct{ NextCursor *string }
	begun := false
	return &Iterator[T]{next: func() (page T, more bool, err error) {
		turn := options
		if begun && place.NextCursor == nil {
			return page, false, nil
		}
		if begun {
			next := func(s *settings) { s.cursor = *place.NextCursor }
			turn = append([]Option{next}, options...)
		}
		content, _, err := c.exchange(ctx, r, parts, nil, query, turn)
		if err == nil {
			begun, place.NextCursor = true, nil
			err = decode(content, &place)
		}
		if err == nil {
			err = decode(content, &page)
		}
		return page, err == nil, err
	}}
}

func each[T any](ctx context.Context, c *Client, r route, parts []string, query any, items string, options []Option) *Iterator[T] {
	read := pages[map[string]json.RawMessage](ctx, c, r, parts, query, options)
	var values []T
	return &Iterator[T]{next: func() (T, bool, error) {
		for len(values) == 0 {
			if !read.Next() {
				return *new(T), false, read.Err()
			}
			if err := decode(read.Value()[items], &values); err != nil {
				return *new(T), false, fmt.Errorf("reliability: %s: %w", items, err)
			}
		}
		value := values[0]
		values = values[1:]
		return value, true, nil
	}}
}
